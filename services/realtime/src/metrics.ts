import { createMetrics } from '@sumlock/service-kit/metrics'
import { Counter, Gauge, Histogram } from 'prom-client'

export type UpgradeRefusal = 'draining' | 'full' | 'unavailable' | 'origin' | 'cookie' | 'session' | 'address'

/** The figures of realtime. */
export function createRealtimeMetrics(metrics = createMetrics('realtime')) {
  const registers = [metrics.registry]
  return {
    ...metrics,
    deliverySeconds: new Histogram({
      name: 'message_delivery_seconds',
      help: 'From the moment a message was made until it was handed to the sockets, by the way it came',
      labelNames: ['via'] as const,
      buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15],
      registers,
    }),
    handshakeRefusals: new Counter({
      name: 'handshake_refusals_total',
      help: 'Connections that were not upgraded, by reason: full and draining are about this process, address is a limit',
      labelNames: ['reason'] as const,
      registers,
    }),
    malformedPayloads: new Counter({
      name: 'redis_payloads_malformed_total',
      help: 'Payloads from Redis that could not be read and were dropped',
      registers,
    }),
    measureSockets: (count: () => number) =>
      new Gauge({
        name: 'sockets_open',
        help: 'Sockets that are open on this instance',
        registers,
        collect() {
          this.set(count())
        },
      }),
  }
}
