import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backupName, chooseBackup, deleteExpired, expiredBackups, writeComplete } from './backup-folder.ts'
import { manifestName } from './manifest.ts'

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

it('never expires the backup that was just made, whatever the clock says', () => {
  const only = at('2025-01-01T03:00:00Z')
  expect(expiredBackups([only], { now, lastGood: only, days: 90 })).toEqual([])
})

it('expires the last backup, too, when none was made', () => {
  const only = at('2026-09-22T02:59:59.999Z')
  expect(expiredBackups([only], { now, days: 60 })).toEqual([only])
  expect(expiredBackups([only], { now, days: 61 })).toEqual([])
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

describe('writing and choosing', () => {
  let root: string
  let folder: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'backups-'))
    folder = join(root, 'new', 'folder')
  })
  afterEach(() => rm(root, { recursive: true }))
  const write = (name: string) =>
    writeComplete(folder, name, (part) => writeFile(join(part, manifestName), '{}'))
  const [first, second] = [backupName(new Date('2026-11-20')), backupName(new Date('2026-11-21'))]

  it('creates the folder and those above it, for its owner only', async () => {
    await write(first)
    expect(await readdir(folder)).toEqual([first])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, first))).mode & 0o777).toBe(0o700)
  })

  it('returns what was returned by the function that filled the folder', async () => {
    expect(await writeComplete(folder, first, () => Promise.resolve('3 files'))).toBe('3 files')
  })

  it('leaves nothing of a backup that failed', async () => {
    const failing = writeComplete(folder, first, async (part) => {
      await writeFile(join(part, 'auth.enc'), 'half')
      throw new Error('no disk')
    })
    await expect(failing).rejects.toThrow('no disk')
    expect(await readdir(folder)).toEqual([])
  })

  it('chooses the newest complete backup or the named one, and lists them when there is no such one', async () => {
    await expect(chooseBackup(folder)).rejects.toThrow('There are: none')
    await write(second)
    await write(first)
    await mkdir(join(folder, backupName(new Date('2026-11-22'))))
    expect(await chooseBackup(folder)).toEqual({ name: second, createdAt: new Date('2026-11-21') })
    expect((await chooseBackup(folder, first)).name).toBe(first)
    await expect(chooseBackup(folder, 'other')).rejects.toThrow(`There are:\n  ${first}\n  ${second}`)
  })
})

describe('deleting', () => {
  let folder: string
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'backups-'))))
  afterEach(() => rm(folder, { recursive: true }))
  const add = async (name: string) => {
    await mkdir(join(folder, name, 'auth'), { recursive: true })
    await writeFile(join(folder, name, manifestName), '{}')
    return name
  }
  const daysAgo = (days: number) => backupName(new Date(now.getTime() - days * 86_400_000))

  it('removes expired backups with all their files, and returns their names', async () => {
    const expired = await add(daysAgo(91))
    const kept = await add(daysAgo(89))
    expect(await deleteExpired(folder, { now, lastGood, days: 90 })).toEqual([expired])
    expect(await readdir(folder)).toEqual([kept])
  })

  it('removes what is left of a backup that was killed more than a day ago', async () => {
    const running = await add(`${daysAgo(1)}.part`)
    await add(`${daysAgo(1.1)}.part`)
    await mkdir(join(folder, `${daysAgo(1.2)}.part`))
    expect(await deleteExpired(folder, { now, lastGood, days: 90 })).toEqual([])
    expect(await readdir(folder)).toEqual([running])
  })

  it('leaves other files in the folder alone', async () => {
    await add('notes.part')
    await deleteExpired(folder, { now, lastGood, days: 90 })
    expect(await readdir(folder)).toEqual(['notes.part'])
  })
})
