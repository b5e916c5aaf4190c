/**
 * @typedef {{ p50: number, p95: number, p99: number, max: number, count: number }} Percentiles
 * @typedef {{ setup: any, seconds: number, counters: Record<string, number>, trends: Record<string, Percentiles>,
 *   checks: { name: string, passes: number, fails: number }[], broken: string[] }} Figures
 *   `broken`: the thresholds that did not hold.
 */

/**
 * The figures of a run out of what k6 hands to handleSummary.
 * @param {any} data
 * @returns {Figures}
 */
export function figures(data) {
  const metrics = /** @type {[string, any][]} */ (Object.entries(data.metrics))
  const ofType = (/** @type {string} */ type) => metrics.filter(([, metric]) => metric.type === type)
  const broken = metrics.flatMap(([name, { thresholds = {} }]) =>
    Object.entries(thresholds).flatMap(([rule, { ok }]) => (ok ? [] : [`${name} ${rule}`])),
  )
  return {
    setup: data.setup_data ?? null,
    seconds: data.state.testRunDurationMs / 1000,
    counters: Object.fromEntries(ofType('counter').map(([name, { values }]) => [name, values.count])),
    trends: Object.fromEntries(
      ofType('trend').map(([name, { values }]) => [
        name,
        {
          ...{ p50: values.med, p95: values['p(95)'], p99: values['p(99)'] },
          ...{ max: values.max, count: values.count },
        },
      ]),
    ),
    checks: checksOf(data.root_group),
    broken,
  }
}

/**
 * @param {any} group
 * @returns {{ name: string, passes: number, fails: number }[]}
 */
const checksOf = ({ checks, groups }) => [
  ...checks.map(({ name, passes, fails }) => ({ name, passes, fails })),
  ...groups.flatMap(checksOf),
]

const wanted = ['to_answer', 'to_socket', 'first_page', 'deep_page', 'unlock', 'login', 'connecting']
const always = ['accepted', 'stored', 'delivered_by_socket', 'delivered_by_fetch']

/**
 * What a person wants to read after a run.
 * @param {Figures} found
 */
export function lines({ counters, trends, checks, broken }) {
  const ms = (/** @type {number} */ value) => value.toFixed(1)
  // A scenario that sends nothing has nothing to say of it.
  const first = counters.accepted ? always : []
  const others = Object.keys(counters).filter(
    (name) => !always.includes(name) && counters[name] !== 0 && isOurs(name),
  )
  return [
    ...wanted.flatMap((name) => {
      const trend = trends[name]
      if (!trend?.count) return []
      const { p50, p95, p99, max } = trend
      return [`  ${name.padEnd(22)} ${[p50, p95, p99, max].map(ms).join(' / ')} ms (p50 / p95 / p99 / max)`]
    }),
    ...[...first, ...others].map((name) => `  ${name.padEnd(22)} ${counters[name] ?? 0}`),
    ...checks.map(
      ({ name, passes, fails }) =>
        `  ${fails ? '✗' : '✓'} ${name} (${passes}${fails ? `, ${fails} not` : ''})`,
    ),
    ...(broken.length ? broken.map((rule) => `  ✗ broken: ${rule}`) : ['  ✓ every threshold holds']),
  ]
}

/** k6 counts bytes, requests and iterations of its own. */
const isOurs = (/** @type {string} */ name) =>
  !/^(http_|ws_|data_|iteration|vus|checks|group_)/.test(name) || name === 'dropped_iterations'
