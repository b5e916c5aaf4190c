import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@sumlock/service-kit/clock'
import { backupName } from './backup-folder.ts'
import { makeBackup } from './make-backup.ts'
import { manifestName } from './manifest.ts'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'backups-'))))
afterEach(() => rm(folder, { recursive: true }))

const daysAgo = async (days: number) => {
  const name = backupName(new Date(Date.now() - days * 86_400_000))
  await mkdir(join(folder, name))
  await writeFile(join(folder, name, manifestName), '{}')
  return name
}

it('a backup that fails removes those of more than 60 days, the last one too', async () => {
  const expired = await daysAgo(60.01)
  const progress: string[] = []
  const run = () =>
    makeBackup({
      folder,
      key: Buffer.alloc(32),
      keepDays: 8,
      databaseUrls: { auth: 'nowhere', messaging: 'nowhere', billing: 'nowhere', notify: 'nowhere' },
      bucket: null,
      peppers: [],
      clock: systemClock(),
      progress: (text) => progress.push(text),
    })
  await expect(run()).rejects.toThrow('Invalid scheme')
  expect(await readdir(folder)).toEqual([])
  expect(progress).toEqual([`Deleted ${expired}, which had expired.`])

  const kept = await daysAgo(59.9)
  await expect(run()).rejects.toThrow('Invalid scheme')
  expect(await readdir(folder)).toEqual([kept])
})
