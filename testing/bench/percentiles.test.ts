import { percentiles } from './percentiles.ts'

it('takes percentiles by nearest rank', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(percentiles(hundred)).toEqual({ p50: 50, p95: 95, p99: 99, max: 100 })
  expect(percentiles([7])).toEqual({ p50: 7, p95: 7, p99: 7, max: 7 })
  expect(percentiles([1, 2])).toMatchObject({ p50: 1, p95: 2 })
  expect(percentiles([]).p50).toBeNaN()
})
