import { isExact, p99Of, report } from './report.ts'

const figures = {
  held: true,
  metrics: {
    to_answer: { med: 3, 'p(95)': 8.25, 'p(99)': 15, max: 39 },
    to_socket: { med: 4, 'p(95)': 9, 'p(99)': 16, max: 40 },
    accepted: { count: 2000 },
    unstored: { count: 0 },
    http_reqs: { count: 4000 },
  },
}

describe('the report of a load test', () => {
  it('shows latencies, counts and processor time per message', () => {
    const usage = [{ name: 'gateway-1', cpuSeconds: 4, peakMiB: 120.4 }]
    const text = report([{ title: '100/s', figures, usage }])
    expect(text).toContain('| to_answer | 3.0 / 8.3 / 15.0 / 39.0 |')
    expect(text).toContain('| to_socket | 4.0 / 9.0 / 16.0 / 40.0 |')
    expect(text).toContain('| accepted | 2000 |')
    expect(text).not.toContain('http_reqs')
    expect(text).toContain('| gateway-1, processor time and peak memory | 2.00 ms, 120 MiB |')
  })

  it('judges a step by the slower of answer and socket', () => {
    expect(p99Of(figures)).toBe(16)
  })

  it.each(['unstored', 'undelivered', 'doubled', 'gaps', 'altered'])(
    'does not call a run exact with messages that are %s',
    (name) => {
      expect(isExact(figures)).toBe(true)
      expect(isExact({ ...figures, metrics: { ...figures.metrics, [name]: { count: 1 } } })).toBe(false)
    },
  )

  it('does not call a run exact that accepted nothing', () => {
    expect(isExact({ ...figures, metrics: {} })).toBe(false)
  })
})
