import { createMetrics } from '@sumlock/service-kit/metrics'
import { Counter, Gauge, Histogram } from 'prom-client'

export type UpgradeRefusal =
  'draining' | 'full' | 'unavailable' | 'origin' | 'cookie' | 'session' | 'address' | 'network' | 'person'

/** Adds the metrics of realtime to those of every service. */
export function createRealtimeMetrics(metrics = createMetrics('realtime')) {
  const registers = [metrics.registry]
  const deliverySeconds = new Histogram({
    name: 'message_delivery_seconds',
    help: 'Time from the creation of a message until it was emitted to the sockets, by source: hint or kafka',
    labelNames: ['via'] as const,
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15],
    registers,
  })
  return {
    ...metrics,
    observeDelivery: (via: 'hint' | 'kafka', tookMs: number) =>
      deliverySeconds.observe({ via }, Math.max(0, tookMs / 1000)),
    handshakeRefusals: new Counter({
      name: 'handshake_refusals_total',
      help: 'Connections that were not upgraded, by reason: full and draining concern this process, address and network are limits',
      labelNames: ['reason'] as const,
      registers,
    }),
    slowSockets: new Counter({
      name: 'slow_sockets_cut_off_total',
      help: 'Sockets that were cut off because their clients left too much unread',
      registers,
    }),
    malformedPayloads: new Counter({
      name: 'redis_payloads_malformed_total',
      help: 'Malformed payloads from Redis that were dropped',
      registers,
    }),
    measureSockets: (count: () => number) =>
      new Gauge({
        name: 'sockets_open',
        help: 'Open sockets of this instance',
        registers,
        collect() {
          this.set(count())
        },
      }),
  }
}
