import { createHash } from 'node:crypto'
import { withDatabase } from './database.ts'
import type { Person } from './people.ts'
import type { RunningStack } from './shared-stack.ts'

/** Makes the sign-in of a person's session older, as if so many minutes had passed. */
export async function signedInLongAgo(
  stack: RunningStack,
  { client }: Pick<Person, 'client'>,
  minutes = 20,
): Promise<void> {
  const cookie = client.cookies.get('sid') ?? ''
  const cookieHash = createHash('sha256').update(cookie).digest('base64url')
  const createdAt = new Date(Date.now() - minutes * 60_000)
  await withDatabase(stack, 'auth', (database) =>
    database.collection('sessions').updateOne({ cookieHash }, { $set: { createdAt } }),
  )
}
