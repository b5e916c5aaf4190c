import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OwnedDatabase } from './database.ts'

/**
 * The file is next to the backups, because a backup older than a purge would bring the person back. It contains only
 * ids.
 */
const fileName = 'purged-ids.json'

const authOf = (databases: readonly OwnedDatabase[]) => databases.find(({ owner }) => owner === 'auth')?.db

/** Returns the ids of all purged accounts that a backup or restore has found. */
async function readIds(folder: string): Promise<string[]> {
  const path = join(folder, fileName)
  return existsSync(path) ? (JSON.parse(await readFile(path, 'utf8')) as string[]) : []
}

/** Adds auth's purged ids to the file. */
export async function keepPurgedIds(folder: string, databases: readonly OwnedDatabase[]): Promise<void> {
  const rows = (await authOf(databases)?.collection<{ _id: string }>('purged_ids').find().toArray()) ?? []
  const known = await readIds(folder)
  const ids = [...new Set([...known, ...rows.map(({ _id }) => _id)])].sort()
  if (ids.length === known.length) return
  const part = join(folder, `${fileName}.part`)
  await writeFile(part, JSON.stringify(ids), { mode: 0o600, flush: true })
  await rename(part, join(folder, fileName))
}

/**
 * Call it after a restore. Purged people then cannot sign in, and auth removes their restored accounts and requests
 * their erasure from every service a second time. Returns the number of ids.
 */
export async function applyPurgedIds(folder: string, databases: readonly OwnedDatabase[]): Promise<number> {
  const ids = await readIds(folder)
  const auth = authOf(databases)
  if (ids.length === 0 || !auth) return 0
  const longAgo = new Date(0)
  await auth.collection('sessions').deleteMany({ userId: { $in: ids } })
  await auth
    .collection<{ _id: string }>('users')
    .updateMany({ _id: { $in: ids } }, { $set: { purgeAt: longAgo } })
  await auth.collection<{ _id: string }>('purged_ids').bulkWrite(
    ids.map((id) => ({
      updateOne: {
        filter: { _id: id },
        update: {
          $set: { publishedAt: longAgo },
          $setOnInsert: { purgedAt: longAgo },
          $unset: { acknowledgedBy: '', doneAt: '' },
        },
        upsert: true,
      },
    })),
  )
  return ids.length
}
