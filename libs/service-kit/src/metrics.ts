import { Histogram, Registry, collectDefaultMetrics } from 'prom-client'

export interface Metrics {
  registry: Registry
  /** Measures the seconds from request to answer by route pattern, method and status. */
  httpSeconds: Histogram<'route' | 'method' | 'status'>
}

/** Returns the metrics registry of a service, which already measures the process. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry })
  const httpSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to answer in seconds',
    labelNames: ['route', 'method', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2],
    registers: [registry],
  })
  return { registry, httpSeconds }
}
