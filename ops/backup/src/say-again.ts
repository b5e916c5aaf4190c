import type { OwnedDatabase } from './database.ts'
import type { SavedDatabase } from './manifest.ts'

/**
 * Marks events as not published that were said in the last hours before the moment of the backup: a consumer may have
 * taken one after that moment and so have lost its effect. Whoever kept the effect does nothing at the second time.
 */
export async function sayAgain(
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
