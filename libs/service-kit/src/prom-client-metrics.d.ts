declare module 'prom-client/lib/metrics/*.js' {
  import type { Registry } from 'prom-client'

  const collectMetric: (registry: Registry, config?: { eventLoopMonitoringPrecision?: number }) => void
  export = collectMetric
}
