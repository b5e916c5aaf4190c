import type { OwnedDatabase } from './database.ts'

/** What lets somebody in without a password. A session or a link that was ended since the backup would be alive again. */
const collections = ['sessions', 'mail_links', 'mail_requests', 'phone_verifications'] as const

/**
 * After a restore: everybody signs in anew. Codes of gifts stay, because they were paid for. A reset of an app that waited does not: its owner
 * may have cancelled it since the backup.
 */
export async function endSignIns(databases: readonly OwnedDatabase[]): Promise<void> {
  const auth = databases.find(({ owner }) => owner === 'auth')?.db
  for (const name of collections) await auth?.collection(name).deleteMany({})
  await auth
    ?.collection('users')
    .updateMany({ 'pendingReset.tryAt': { $type: 'date' } }, { $unset: { pendingReset: '' } })
}
