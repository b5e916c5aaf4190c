import { createMetrics } from '@sumlock/service-kit/metrics'
import { Gauge, Histogram } from 'prom-client'

/** The figures of realtime. */
export function createRealtimeMetrics() {
  const metrics = createMetrics('realtime')
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
