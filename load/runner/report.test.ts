import { idleReport, isExact, isMeasured, p99Of, report, unmeasuredSteps } from './report.ts'
import type { Usage } from './usage.ts'

const figures = {
  held: true,
  metrics: {
    to_answer: { med: 3, 'p(95)': 8.25, 'p(99)': 15, max: 39, count: 1000 },
    to_socket: { med: 4, 'p(95)': 9, 'p(99)': 16, max: 40, count: 1000 },
    accepted: { count: 2000 },
    unstored: { count: 0 },
    http_reqs: { count: 4000 },
    measured_from: { value: 5000 },
    measured_until: { value: 15_000 },
  },
}

const usage: Usage = {
  seconds: 9,
  processes: [
    { name: 'kafka', isService: false, msPerSecond: 50, peakMiB: 300 },
    { name: 'gateway-1', isService: true, msPerSecond: 200, peakMiB: 120.4 },
    { name: 'auth-1', isService: true, msPerSecond: 100, peakMiB: 80 },
  ],
  generatorMsPerSecond: 400,
  servicesMiB: 150,
  stealPercent: 4,
  othersPercent: 6,
}
const disturbed = { ...usage, othersPercent: 6.1 }

describe('the report of a load test', () => {
  it('shows latencies and counts', () => {
    const text = report([{ title: '100/s', figures, usage: null }])
    expect(text).toContain('| to_answer | 3.0 / 8.3 / 15.0 / 39.0 |')
    expect(text).toContain('| to_socket | 4.0 / 9.0 / 16.0 / 40.0 |')
    expect(text).toContain('| accepted | 2000 |')
    expect(text).not.toMatch(/http_reqs|measured_from/)
  })

  it('shows the processor time of each process for a message that was sent in the measured time', () => {
    const text = report([{ title: '100/s', figures, usage }])
    expect(text).toContain('| gateway-1 | 2.00 ms, 120 MiB |')
    expect(text).toContain('| the services, sum | 3.00 ms, 200 MiB |')
    expect(text).toContain('| services and engines, sum | 3.50 ms, 500 MiB |')
    expect(text).toContain('| the generator, not in the sum | 4.00 ms |')
    expect(text).toContain('| services and engines / generator | 0.88 |')
    expect(text).toContain('| the services, pages they share divided | 150 MiB |')
    expect(text).toContain('| steal + other processes, of all processors | 4.0 + 6.0 % |')
  })

  it('counts all pages when a scenario has no measured time', () => {
    const pages = { held: true, metrics: { pages: { count: 900 } } }
    expect(report([{ title: 'history', figures: pages, usage }])).toContain(
      '| gateway-1 | 2.00 ms, 120 MiB |',
    )
  })

  it('shows what an idle product uses in a second', () => {
    const text = idleReport({ ...usage, seconds: 20.01 })
    expect(text).toContain('| idle for 20 s, nobody connected |')
    expect(text).toContain('| services and engines, sum | 350.00 ms, 500 MiB |')
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

describe('a step during which others took more than 10 % of the processors', () => {
  it('is not measured', () => {
    expect(isMeasured(usage)).toBe(true)
    expect(isMeasured(disturbed)).toBe(false)
    expect(isMeasured({ ...usage, stealPercent: 4.1 })).toBe(false)
  })

  it('is marked in the tables, and keeps its figures', () => {
    const steps = [
      { title: '100/s', figures, usage },
      { title: '200/s', figures, usage: disturbed },
    ]
    expect(report(steps)).toContain('| 100/s | 200/s, NOT MEASURED |')
    expect(report(steps)).toContain('| gateway-1 | 2.00 ms, 120 MiB | 2.00 ms, 120 MiB |')
    expect(idleReport(disturbed)).toContain('nobody connected, NOT MEASURED |')
  })

  it('is named with the reason', () => {
    const steps = [
      { title: '100/s', usage },
      { title: '200/s', usage: disturbed },
    ]
    expect(unmeasuredSteps(steps)).toContain('200/s (steal 4.0 %, other processes 6.1 %)')
    expect(unmeasuredSteps(steps)).not.toContain('100/s')
    expect(unmeasuredSteps([{ title: '100/s', usage }])).toBeUndefined()
  })
})
