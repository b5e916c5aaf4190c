import type { OwnedDatabase } from './database.ts'
import type { SavedDatabase } from './manifest.ts'

/**
 * Marks events that were published in the last hours before the backup as unpublished. A consumer whose database was
 * restored may have lost their effect; all others ignore an event they have handled before.
 */
export async function republishEvents(
  { db }: OwnedDatabase,
  { clusterTime }: SavedDatabase,
  hours: number,
): Promise<number> {
  const from = new Date(Number(clusterTime.split('.')[0]) * 1000 - hours * 3_600_000)
  const { modifiedCount } = await db
    .collection('outbox')
    .updateMany({ publishedAt: { $gte: from } }, { $set: { pending: true }, $unset: { publishedAt: '' } })
  return modifiedCount
}
