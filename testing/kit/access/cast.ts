import { login, logout, setDiscreetMode, setupNumericPassword } from '@sumlock/contracts/auth-routes'
import { Client } from '@sumlock/deployment/api-client'
import { signedInLongAgo } from '../sign-in-age.ts'
import { adminPerson, befriend, makePremium, registerPerson, unlock, unlockedPerson } from '../people.ts'
import type { Person } from '../people.ts'
import type { SessionName } from './verdicts.ts'
import type { RunningStack } from '../shared-stack.ts'

export interface Cast {
  /** Who `locked`, `discreet`, `unlocked` and `revoked` are sessions of; in discreet mode. Premium, so that no send fails for the daily limit. */
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
  /** Signs out of all that were opened: a person has twenty sessions at most. */
  closeOpened(): Promise<void>
}

/** Registers everybody the matrix needs. */
export async function inviteCast(stack: RunningStack): Promise<Cast> {
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
  await owner.client.ok(setDiscreetMode, { body: { isDiscreet: true } })
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
  const opened: Person[] = []
  const openers: Record<SessionName, () => Promise<Person>> = {
    anonymous: () => Promise.resolve({ ...owner, client: new Client({ gatewayUrl: stack.gatewayUrl }) }),
    withoutPin: () => registerPerson(stack),
    locked: () => signIn(owner),
    async discreet() {
      const person = await signIn(owner)
      await signedInLongAgo(stack, person)
      return person
    },
    unlocked: () => signInUnlocked(owner),
    other: () => signInUnlocked(other),
    admin: () => signIn(admin),
    async lockedAdmin() {
      const person = await signIn(admin)
      await signedInLongAgo(stack, person, 16)
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
    async open(session) {
      const person = await openers[session]()
      opened.push(person)
      return person
    },
    async closeOpened() {
      await Promise.all(opened.splice(0).map(({ client }) => client.call(logout)))
    },
  }
}
