import type { Figures } from './figures.ts'
import { ladderReport, smokeReport } from './report.ts'

const where = { date: '2026-01-01', machine: 'one machine', against: 'the started product', k6: 'k6 v1' }
const trend = (p99: number) => ({ p50: 1, p95: 2, p99, max: 400, count: 9 })
const figures = (counters: Record<string, number>, p99 = 30): Figures => ({
  ...{ seconds: 12.34, counters: { accepted: 100, stored: 100, delivered_by_socket: 97, ...counters } },
  ...{ trends: { to_answer: trend(12), to_socket: trend(p99) }, checks: [], broken: [] },
})
const facts = { pairs: 5, secondsPerStep: 20, warmUpSeconds: 5 }
const usage = [{ name: 'gateway-1', cpuSeconds: 1.25, peakMiB: 101.4 }]

describe('the page of the ladder', () => {
  it('names the highest step that held, and what each step showed', () => {
    const steps = [
      { ratePerSecond: 100, figures: figures({ delivered_by_fetch: 3 }), usage },
      { ratePerSecond: 200, figures: figures({ dropped_iterations: 7, refused: 2 }, 250), usage },
    ]
    const page = ladderReport(steps, facts, where)
    expect(page).toContain('**100/s is the highest step')
    expect(page).toContain(
      '| 100/s | 1.0 / 2.0 / 12.0 / 400.0 | 1.0 / 2.0 / 30.0 / 400.0 | 100 | 100 | 97 | 3 | 0 | 0 | none |',
    )
    expect(page).toContain('| 7 | refused 2 |')
    expect(page).toContain('| gateway-1 | 1.3 s, 101 MiB | 1.3 s, 101 MiB |')
  })

  it('does not claim a step that lost something', () => {
    const page = ladderReport(
      [{ ratePerSecond: 100, figures: figures({ unstored: 1 }), usage: [] }],
      facts,
      where,
    )
    expect(page).toContain('No step kept p99 under 200 ms without loss.')
    expect(page).not.toContain('Processor seconds')
  })

  it('shows a dash where nothing was measured', () => {
    const empty = { ...figures({ accepted: 0 }), trends: {} }
    expect(ladderReport([{ ratePerSecond: 100, figures: empty, usage: [] }], facts, where)).toContain(
      '– / – / – / –',
    )
  })
})

it('the page of the smoke test has a row for every step', () => {
  const checks = [{ name: 'signs in', passes: 2, fails: 0 }]
  expect(smokeReport({ ...figures({}), checks }, where)).toContain('| signs in | 2 | 0 |')
})
