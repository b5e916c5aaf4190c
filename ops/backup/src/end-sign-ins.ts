import type { OwnedDatabase } from './database.ts'

/** Rows of these collections let a person in without a password. Some of them may have been ended after the backup. */
const collections = ['sessions', 'mail_links', 'mail_requests', 'phone_verifications'] as const

/**
 * Ends all sign-ins after a restore. Codes of gifts stay, because they were paid for. A waiting reset of an app is
 * removed, because its owner may have cancelled it after the backup.
 */
export async function endSignIns(databases: readonly OwnedDatabase[]): Promise<void> {
  const auth = databases.find(({ owner }) => owner === 'auth')?.db
  for (const name of collections) await auth?.collection(name).deleteMany({})
  await auth
    ?.collection('users')
    .updateMany({ 'pendingReset.tryAt': { $type: 'date' } }, { $unset: { pendingReset: '' } })
}
