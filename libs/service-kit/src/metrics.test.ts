import { createMetrics } from './metrics.ts'

it('exposes the metrics of a process that the alerts use', async () => {
  const { registry } = createMetrics('t')
  const names = (await registry.getMetricsAsJSON()).map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      'http_request_duration_seconds',
      'nodejs_eventloop_lag_p99_seconds',
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
    ]),
  )
})
