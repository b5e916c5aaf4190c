import type { OwnedDatabase } from './database.ts'

/** What lets somebody in without a password. A session or a link that was ended since the backup would be alive again. */
const collections = ['sessions', 'mail_links', 'mail_requests', 'phone_verifications'] as const

/** After a restore: everybody signs in anew. Codes of gifts stay, because they were paid for. */
export async function endSignIns(databases: readonly OwnedDatabase[]): Promise<void> {
  const auth = databases.find(({ owner }) => owner === 'auth')?.db
  for (const name of collections) await auth?.collection(name).deleteMany({})
}
