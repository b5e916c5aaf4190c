import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandRefusedError } from './errors.ts'
import { manifestName } from './manifest.ts'

const namePattern = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/
const partSuffix = '.part'
const dayMs = 86_400_000

export interface DatedBackup {
  name: string
  createdAt: Date
}

/** Returns a name such as `2026-11-21T19-40-00-123Z`, which sorts by time and is a valid file name everywhere. */
export const backupName = (at: Date): string => at.toISOString().replaceAll(/[:.]/g, '-')

function dateOf(name: string): Date | null {
  const [, day, hour, minute, second, ms] = namePattern.exec(name) ?? []
  return day === undefined ? null : new Date(`${day}T${hour}:${minute}:${second}.${ms}Z`)
}

/** Returns the complete backups in a folder, oldest first. */
export async function listBackups(folder: string): Promise<DatedBackup[]> {
  const entries = existsSync(folder) ? await readdir(folder) : []
  return entries.sort().flatMap((name) => {
    const createdAt = dateOf(name)
    return createdAt && existsSync(join(folder, name, manifestName)) ? [{ name, createdAt }] : []
  })
}

/** Returns the backup of that name, or without a name the newest one. Throws when there is none. */
export async function chooseBackup(folder: string, name?: string): Promise<DatedBackup> {
  const backups = await listBackups(folder)
  const chosen = name === undefined ? backups.at(-1) : backups.find((backup) => backup.name === name)
  if (chosen) return chosen
  const names = backups.map((backup) => `\n  ${backup.name}`).join('') || ' none'
  throw new CommandRefusedError(`There is no complete backup ${name ?? ''} in ${folder}. There are:${names}`)
}

/**
 * Fills a temporary folder and renames it when it is completely on the disk, so that an incomplete backup is never
 * listed.
 */
export async function writeComplete<T>(
  folder: string,
  name: string,
  fill: (part: string) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const part = join(folder, name + partSuffix)
  await mkdir(part, { mode: 0o700 })
  try {
    const result = await fill(part)
    await flush(part)
    await rename(part, join(folder, name))
    await flush(folder)
    return result
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    throw error
  }
}

async function flush(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Backups expire by these values. */
export interface Expiry {
  now: Date
  days: number
  /** This backup was just made. Neither it nor a newer one expires, even if the clock is wrong. */
  lastGood?: DatedBackup
}

/** Returns the backups that are older than `days` at `now`. */
export function expiredBackups(
  backups: readonly DatedBackup[],
  { now, lastGood, days }: Expiry,
): DatedBackup[] {
  const limit = now.getTime() - days * dayMs
  return backups.filter(
    ({ createdAt }) => createdAt.getTime() < limit && (!lastGood || createdAt < lastGood.createdAt),
  )
}

/**
 * Deletes expired backups, and what was left by backups that were killed more than a day ago. Returns the names of
 * the expired ones.
 */
export async function deleteExpired(folder: string, expiry: Expiry): Promise<string[]> {
  const expired = expiredBackups(await listBackups(folder), expiry).map(({ name }) => name)
  const killed = (await readdir(folder)).filter((entry) => {
    const startedAt = entry.endsWith(partSuffix) ? dateOf(entry.slice(0, -partSuffix.length)) : null
    return startedAt && expiry.now.getTime() - startedAt.getTime() > dayMs
  })
  for (const name of [...expired, ...killed]) {
    // The manifest is deleted first, because a folder without one is not listed as a backup.
    await rm(join(folder, name, manifestName), { force: true })
    await rm(join(folder, name), { recursive: true, force: true })
  }
  return expired
}
