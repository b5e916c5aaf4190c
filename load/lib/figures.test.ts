import { figures, lines } from './figures.js'

// As k6 hands it to handleSummary, shortened.
const data = {
  setup_data: { pairs: 5 },
  state: { testRunDurationMs: 12_500 },
  root_group: {
    checks: [{ name: 'signs in', passes: 2, fails: 0 }],
    groups: [{ groups: [], checks: [{ name: 'sends', passes: 1, fails: 3 }] }],
  },
  metrics: {
    accepted: { type: 'counter', values: { count: 7, rate: 1 }, thresholds: { 'count>0': { ok: true } } },
    unstored: { type: 'counter', values: { count: 0, rate: 0 }, thresholds: { 'count==0': { ok: true } } },
    doubled: { type: 'counter', values: { count: 2, rate: 0 }, thresholds: { 'count==0': { ok: false } } },
    http_reqs: { type: 'counter', values: { count: 90, rate: 0 } },
    to_socket: { type: 'trend', values: { med: 3, 'p(95)': 5, 'p(99)': 9, max: 20, count: 7 } },
    checks: {
      type: 'rate',
      values: { rate: 0.5, passes: 3, fails: 3 },
      thresholds: { 'rate==1': { ok: false } },
    },
  },
}

describe('the figures of a run', () => {
  it('are the counters, percentiles and checks, and which thresholds broke', () => {
    expect(figures(data)).toEqual({
      ...{ setup: { pairs: 5 }, seconds: 12.5 },
      counters: { accepted: 7, unstored: 0, doubled: 2, http_reqs: 90 },
      trends: { to_socket: { p50: 3, p95: 5, p99: 9, max: 20, count: 7 } },
      checks: [
        { name: 'signs in', passes: 2, fails: 0 },
        { name: 'sends', passes: 1, fails: 3 },
      ],
      broken: ['doubled count==0', 'checks rate==1'],
    })
  })

  it('are shown to a person: what was accepted, what went wrong, nothing of k6’s own', () => {
    const page = lines(figures(data)).join('\n')
    expect(page).toMatch(/to_socket +3\.0 \/ 5\.0 \/ 9\.0 \/ 20\.0 ms/)
    expect(page).toMatch(/accepted +7/)
    expect(page).toMatch(/doubled +2/)
    expect(page).toContain('✗ broken: doubled count==0')
    expect(page).toContain('✗ sends (1, 3 not)')
    expect(page).not.toMatch(/http_reqs|unstored|every threshold holds/)
  })

  it('say so when all is well', () => {
    const well = { ...data, metrics: { accepted: data.metrics.accepted } }
    expect(lines(figures(well)).at(-1)).toBe('  ✓ every threshold holds')
  })
})
