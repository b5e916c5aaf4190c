import { relativeTime } from './relative-time.ts'

const now = new Date('2026-06-15T12:00:00')
const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()

describe('relative time', () => {
  it.each([
    [59_999, 'now'],
    [60_000, '1 min'],
    [59 * 60_000, '59 min'],
    [3_600_000, '1 h'],
    [23 * 3_600_000, '23 h'],
    [86_400_000, 'Sun'],
    [3 * 86_400_000, 'Fri'],
    [7 * 86_400_000, '8 Jun'],
    [30 * 86_400_000, '16 May'],
    [400 * 86_400_000, '11 May 2025'],
  ])('%i ms ago is %s', (ms, text) => {
    expect(relativeTime(ago(ms), now)).toBe(text)
  })
})
