import { isExact, p99Of } from './ladder.ts'
import { report } from './report.ts'

const figures = {
  held: true,
  metrics: {
    to_answer: { med: 3, 'p(95)': 8.25, 'p(99)': 15, max: 39 },
    to_socket: { med: 4, 'p(95)': 9, 'p(99)': 16, max: 40 },
    accepted: { count: 2000 },
    unstored: { count: 0 },
  },
}

it('reports latencies, counts and processor time per message', () => {
  const usage = [
    { name: 'gateway-1', cpuSeconds: 4, peakMiB: 120.4 },
    { name: 'everything else', cpuSeconds: 1, peakMiB: null },
  ]
  const text = report([{ title: '100/s', figures, usage }])
  expect(text).toContain('| 100/s | 3.0 / 8.3 / 15.0 / 39.0 | 4.0 / 9.0 / 16.0 / 40.0 | 2000 |')
  expect(text).toContain('| gateway-1 | 2.00 ms, 120 MiB |')
  expect(text).toContain('| everything else | 0.50 ms |')
})

it('judges a step by the slower of answer and socket', () => {
  expect(p99Of(figures)).toBe(16)
})

it.each(['unstored', 'undelivered_prints', 'doubled', 'gaps'])(
  'does not call a run exact with %s',
  (name) => {
    expect(isExact(figures)).toBe(true)
    expect(isExact({ ...figures, metrics: { ...figures.metrics, [name]: { count: 1 } } })).toBe(false)
  },
)

it('does not call a run exact that accepted nothing', () => {
  expect(isExact({ ...figures, metrics: {} })).toBe(false)
})
