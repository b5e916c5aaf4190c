import { slideUnlock } from './slide-unlock.ts'

const now = new Date('2026-01-01T12:00:00Z')
const secondsUntil = (date: Date) => (date.getTime() - now.getTime()) / 1000

describe('an unlock', () => {
  it('is extended to ten minutes after the last activity', () => {
    expect(secondsUntil(slideUnlock(now, now))).toBe(600)
  })

  it('ends eight hours after it began, despite activity', () => {
    const startedAt = new Date(now.getTime() - (8 * 60 - 3) * 60_000)
    expect(secondsUntil(slideUnlock(now, startedAt))).toBe(180)
  })
})
