import { deepBefore, expectedSeqs } from './history-pages.ts'

it.each([100, 1000, 1_000_000])('finds whole pages in the older half of %i messages', (messages) => {
  const places = Array.from({ length: 500 }, (_, turn) => deepBefore(messages, turn))
  for (const before of places) {
    const { first, last } = expectedSeqs(messages, before)
    expect(first).toBeGreaterThanOrEqual(1)
    expect(last).toBeLessThanOrEqual(messages / 2)
    expect(last - first).toBe(49)
  }
  if (messages > 100) expect(new Set(places).size).toBeGreaterThan(300)
})

it('expects the newest fifty without a bound', () => {
  expect(expectedSeqs(100)).toEqual({ first: 51, last: 100 })
})
