import { createHash } from 'node:crypto'
import { login, logout, setupNumericPassword } from '@sumlock/contracts/auth-routes'
import { sessionCookie } from '@sumlock/contracts/cookies'
import type { Stack } from '@sumlock/stack/services'
import { Client } from '../client.ts'
import { withDatabase } from '../database.ts'
import { adminPerson, befriend, makePremium, registerPerson, unlock, unlockedPerson } from '../people.ts'
import type { Person } from '../people.ts'
import type { SessionName } from './verdicts.ts'

export interface Cast {
  /** Who `locked`, `unlocked` and `revoked` are sessions of. Premium, so that no send fails for the daily limit. */
  owner: Person
  /** Shares the conversation with the owner. */
  friend: Person
  other: Person
  admin: Person
  /** Known to nobody; may be named in calls without giving anything of the owner away. */
  bystander: Person
  conversationId: string
  /** A new session of this kind, on a device of its own. */
  open(session: SessionName): Promise<Person>
}

/** Makes a session look as if it had begun earlier. It must not have been used yet, or its token may be remembered. */
async function ageSession(stack: Stack, client: Client, minutes: number): Promise<void> {
  const cookieHash = createHash('sha256')
    .update(client.cookies.get(sessionCookie(false)) ?? '')
    .digest('base64url')
  await withDatabase(stack, 'auth', (database) =>
    database
      .collection('sessions')
      .updateOne({ cookieHash }, { $set: { createdAt: new Date(Date.now() - minutes * 60_000) } }),
  )
}

/** Registers everybody the matrix needs. */
export async function inviteCast(stack: Stack): Promise<Cast> {
  const owner = await unlockedPerson(stack, { fullName: 'Olive Owner-of-the-Canaries' })
  const [friend, other, bystander, admin] = await Promise.all([
    ...[unlockedPerson(stack), unlockedPerson(stack), unlockedPerson(stack)],
    adminPerson(stack),
  ])
  if (!friend || !other || !bystander || !admin) throw new Error('Nobody came.')
  await admin.client.ok(setupNumericPassword, { body: { numericPassword: admin.pin } })
  await makePremium(admin, owner)
  // From here on these two keep one token, also when asked for it by many at once.
  for (const { client } of [friend, other]) await client.csrfToken()
  const { id: conversationId } = await befriend(owner, friend)

  const signIn = async (person: Person): Promise<Person> => {
    const client = new Client({ gatewayUrl: stack.gatewayUrl })
    const { username, password } = person
    return { ...person, client, user: await client.ok(login, { body: { username, password } }) }
  }
  const signInUnlocked = async (person: Person) => {
    const again = await signIn(person)
    await unlock(again)
    return again
  }
  const openers: Record<SessionName, () => Promise<Person>> = {
    anonymous: () => Promise.resolve({ ...owner, client: new Client({ gatewayUrl: stack.gatewayUrl }) }),
    withoutPin: () => registerPerson(stack),
    locked: () => signIn(owner),
    unlocked: () => signInUnlocked(owner),
    other: () => signInUnlocked(other),
    admin: () => signIn(admin),
    async lockedAdmin() {
      const person = await signIn(admin)
      await ageSession(stack, person.client, 16)
      return person
    },
    async revoked() {
      const ended = await signInUnlocked(owner)
      const cookies = new Map(ended.client.cookies)
      await ended.client.ok(logout)
      // Whoever kept the cookie shows it again.
      for (const [name, value] of cookies) ended.client.cookies.set(name, value)
      return ended
    },
  }
  return {
    ...{ owner, friend, other, admin, bystander, conversationId },
    open: (session) => openers[session](),
  }
}
