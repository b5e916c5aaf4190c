import { Histogram, Registry } from 'prom-client'
import eventLoopLag from 'prom-client/lib/metrics/eventLoopLag.js'
import heapSizeAndUsed from 'prom-client/lib/metrics/heapSizeAndUsed.js'
import osMemoryHeap from 'prom-client/lib/metrics/osMemoryHeap.js'
import processCpuTotal from 'prom-client/lib/metrics/processCpuTotal.js'
import processOpenFileDescriptors from 'prom-client/lib/metrics/processOpenFileDescriptors.js'
import processStartTime from 'prom-client/lib/metrics/processStartTime.js'
import version from 'prom-client/lib/metrics/version.js'

export interface Metrics {
  registry: Registry
  /** Seconds from request to answer, by route pattern, method and status. */
  httpSeconds: Histogram<'route' | 'method' | 'status'>
}

/** The default metrics we use. The garbage collection metric is left out: it runs JavaScript after every collection. */
const processMetrics = [
  eventLoopLag,
  heapSizeAndUsed,
  osMemoryHeap,
  processCpuTotal,
  processOpenFileDescriptors,
  processStartTime,
  version,
]

/** The metrics registry of a service, with those of its process. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  // Milliseconds. By default its sampler of the event loop wakes an idle process a hundred times a second.
  for (const collect of processMetrics) collect(registry, { eventLoopMonitoringPrecision: 1000 })
  const httpSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to answer in seconds',
    labelNames: ['route', 'method', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2],
    registers: [registry],
  })
  return { registry, httpSeconds }
}
