import { expiredBackups } from './backup-folder.ts'

const at = (createdAt: string) => ({ name: createdAt, createdAt: new Date(createdAt) })
const names = (backups: { name: string }[]) => backups.map(({ name }) => name)
const now = new Date('2026-11-21T03:00:00Z')
const lastGood = at('2026-11-21T03:00:00Z')

it('expires backups older than 90 days, to the millisecond, and no younger ones', () => {
  const kept = at('2026-08-23T03:00:00.000Z')
  const over = at('2026-08-23T02:59:59.999Z')
  const old = at('2025-01-01T03:00:00Z')
  expect(names(expiredBackups([old, over, kept, lastGood], { now, lastGood, days: 90 }))).toEqual(
    names([old, over]),
  )
})

it('never expires the last good backup, however old it is', () => {
  const only = at('2025-01-01T03:00:00Z')
  expect(expiredBackups([only], { now, lastGood: only, days: 90 })).toEqual([])
})

it('expires no backup newer than the last good one, even with a clock that is years ahead', () => {
  const good = at('2026-01-01T03:00:00Z')
  const newer = at('2026-01-02T03:00:00Z')
  const ahead = new Date('2030-01-01T03:00:00Z')
  expect(expiredBackups([good, newer], { now: ahead, lastGood: good, days: 90 })).toEqual([])
})

it('expires backups after another number of days when it is set', () => {
  const backup = at('2026-11-13T02:00:00Z')
  expect(names(expiredBackups([backup, lastGood], { now, lastGood, days: 8 }))).toEqual(names([backup]))
  expect(expiredBackups([backup, lastGood], { now, lastGood, days: 9 })).toEqual([])
})
