import { barCount, heightsOf, toBars } from './loudness-bars.ts'

const barsOf = (levels: number[]) => heightsOf(toBars(levels)).map((height) => Math.round(height * 255))

it('bars show the loudest level of each part, relative to the loudest of all', () => {
  const levels = Array.from({ length: 480 }, () => 0.1)
  levels[3] = 0.4
  levels[479] = 0.2
  const bars = barsOf(levels)
  expect(bars).toHaveLength(barCount)
  expect(bars[0]).toBe(255)
  expect(bars.slice(1, -1)).toEqual(Array.from({ length: 46 }, () => 64))
  expect(bars.at(-1)).toBe(128)
})

it.each([1, 7, 48, 49, 6000])('there are 48 bars for %i levels, none of them empty', (count) => {
  const bars = barsOf(Array.from({ length: count }, () => 0.5))
  expect(bars).toEqual(Array.from({ length: barCount }, () => 255))
})

it('silence is not scaled up to its own noise', () => {
  expect(Math.max(...barsOf([0.001, 0.002]))).toBeLessThan(30)
})

it('nothing recorded, and a message without bars, are flat', () => {
  expect(barsOf([])).toEqual(Array.from({ length: barCount }, () => 0))
  expect(heightsOf(undefined)).toEqual(barsOf([]))
})
