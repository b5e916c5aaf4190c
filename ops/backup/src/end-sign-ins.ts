import type { OwnedDatabase } from './database.ts'

/** Collections whose rows let somebody in without a password. A restored session or link may have been ended since the backup. */
const collections = ['sessions', 'mail_links', 'mail_requests', 'phone_verifications'] as const

/**
 * Ends all sign-ins after a restore. Codes of gifts stay, because they were paid for. A waiting reset of an app goes, because its
 * owner may have cancelled it since the backup.
 */
export async function endSignIns(databases: readonly OwnedDatabase[]): Promise<void> {
  const auth = databases.find(({ owner }) => owner === 'auth')?.db
  for (const name of collections) await auth?.collection(name).deleteMany({})
  await auth
    ?.collection('users')
    .updateMany({ 'pendingReset.tryAt': { $type: 'date' } }, { $unset: { pendingReset: '' } })
}
