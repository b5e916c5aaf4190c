import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DamagedBackupError, RefusedError } from './errors.ts'
import { manifestName } from './manifest.ts'
import type { DatedBackup } from './retention.ts'

const namePattern = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/
const partSuffix = '.part'
/** An unfinished backup this old was killed. */
const partMaxAgeMs = 86_400_000

/** `2026-11-21T19-40-00-123Z`: sorts by time and is a good file name everywhere. */
export const backupName = (at: Date): string => at.toISOString().replaceAll(/[:.]/g, '-')

function dateOf(name: string): Date | null {
  const [, day, hour, minute, second, ms] = namePattern.exec(name) ?? []
  return day === undefined ? null : new Date(`${day}T${hour}:${minute}:${second}.${ms}Z`)
}

/** The complete backups in a folder, oldest first. */
export async function listBackups(folder: string): Promise<DatedBackup[]> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return entries.sort().flatMap((name) => {
    const createdAt = dateOf(name)
    return createdAt && existsSync(join(folder, name, manifestName)) ? [{ name, createdAt }] : []
  })
}

/** The backup of that name, or the newest one. Throws when there is none. */
export async function chooseBackup(folder: string, name?: string): Promise<DatedBackup> {
  const backups = await listBackups(folder)
  const chosen = name === undefined ? backups.at(-1) : backups.find((backup) => backup.name === name)
  if (chosen) return chosen
  const there = backups.map((backup) => `\n  ${backup.name}`).join('')
  throw new RefusedError(
    name === undefined
      ? `There is no backup in ${folder}. docs/backup.md says how to make one.`
      : `There is no complete backup ${name} in ${folder}.${there === '' ? '' : ` There are:${there}`}`,
  )
}

/** Fills a temporary folder and renames it when all of it is on the disk, so that half a backup is never listed. */
export async function writeComplete(
  folder: string,
  name: string,
  fill: (part: string) => Promise<void>,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const part = join(folder, name + partSuffix)
  await mkdir(part, { mode: 0o700 })
  try {
    await fill(part)
    await flush(part)
    await rename(part, join(folder, name))
    await flush(folder)
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    throw error
  }
}

/** Removes the remains of backups that were killed more than a day ago. */
export async function removeOldParts(folder: string, now: Date): Promise<void> {
  for (const entry of await readdir(folder)) {
    const begunAt = entry.endsWith(partSuffix) ? dateOf(entry.slice(0, -partSuffix.length)) : null
    if (begunAt && now.getTime() - begunAt.getTime() > partMaxAgeMs)
      await rm(join(folder, entry), { recursive: true, force: true })
  }
}

/** Deletes the manifest first, so that a half deleted backup is not listed. */
export async function deleteBackup(folder: string, { name }: DatedBackup): Promise<void> {
  await rm(join(folder, name, manifestName), { force: true })
  await rm(join(folder, name), { recursive: true, force: true })
}

/** A file inside a backup; refuses a name that would lead out of it. */
export function fileIn(backup: string, file: string): string {
  if (!/^[\w.-]+$/.test(file) || file.startsWith('.'))
    throw new DamagedBackupError(`the manifest has an invalid file name: ${file}`)
  return join(backup, file)
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}
