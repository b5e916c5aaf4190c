import { metricsIn, selectorsIn } from './observability.ts'

it('finds the metrics of an expression, and neither functions nor labels', () => {
  const expr = `histogram_quantile(0.99, sum by (le, via) (rate(a_bucket{via="hint"}[5m]))) > 1
    and sum without(x)(b_total) unless on (y) max_over_time(sum(c)[15m:1m]) * 1e3`
  expect(metricsIn(expr).sort()).toEqual(['a_bucket', 'b_total', 'c'])
  expect(selectorsIn('a{b="1",c=~"2.."} + d{e!="x"}')).toEqual([
    { metric: 'a', label: 'b' },
    { metric: 'a', label: 'c' },
    { metric: 'd', label: 'e' },
  ])
})
