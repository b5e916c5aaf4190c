import { checkedPrefixes, pauseAfter, slideUnlock } from './unlock-budget.ts'

const now = new Date('2026-01-01T12:00:00Z')
const secondsUntil = (date: Date | null) => (date ? (date.getTime() - now.getTime()) / 1000 : null)

describe('the explicit budget', () => {
  it.each([
    [0, null],
    [9, null],
    [10, 30],
    [11, 60],
    [12, 120],
    [16, 1920],
    [17, 3600],
    [99, 3600],
  ])('after %i failures pauses for %s seconds', (failures, seconds) => {
    expect(secondsUntil(pauseAfter(failures, now))).toBe(seconds)
  })
})

describe('an unlock', () => {
  it('slides by ten minutes', () => {
    expect(secondsUntil(slideUnlock(now, now))).toBe(600)
  })

  it('ends eight hours after it began, however busy', () => {
    const startedAt = new Date(now.getTime() - (8 * 60 - 3) * 60_000)
    expect(secondsUntil(slideUnlock(now, startedAt))).toBe(180)
  })
})

describe('a chain of extending prefixes', () => {
  it('names the shorter entries that were checked on the way', () => {
    expect(checkedPrefixes('123456')).toEqual(['1234', '12345'])
    expect(checkedPrefixes('1234')).toEqual([])
  })
})
