import { gatewayTable, perCore } from './gateway-report.ts'

const door = (requests: number, cpuSeconds: number) => ({
  run: { requests, seconds: 10, latency: { p50: 1, p95: 2, p99: 3, max: 4 } },
  cpuSeconds,
})

it('divides by the processor time of the process that was asked, not by the clock', () => {
  expect(perCore(door(10_000, 5))).toBe(2000)
  const [, , row] = gatewayTable([
    { what: 'list', throughGateway: door(10_000, 5), direct: door(20_000, 8) },
  ]).split('\n')
  expect(row).toBe('| list | 2000 | 2500 | 0.80 | 0.50 | 1000 | 2000 | 1.0 / 2.0 / 3.0 | 1.0 / 2.0 / 3.0 |')
})
