import { login, logout, setDiscreetMode, setupNumericPassword } from '@sumlock/contracts/auth-routes'
import { Client } from '@sumlock/deployment/api-client'
import { signedInLongAgo } from '../sign-in-age.ts'
import { adminPerson, befriend, makePremium, registerPerson, unlock, unlockedPerson } from '../people.ts'
import type { Person } from '../people.ts'
import type { SessionName } from './verdicts.ts'
import type { RunningStack } from '../shared-stack.ts'

export interface Actors {
  /** Owns the sessions `locked`, `discreet`, `unlocked` and `revoked`. In discreet mode; premium, so that the daily limit refuses no send. */
  owner: Person
  /** Shares the conversation with the owner. */
  friend: Person
  other: Person
  admin: Person
  /** Has no conversation and a password of its own: calls may name this person without naming the owner. */
  bystander: Person
  conversationId: string
  /** A new session of this kind, on a device of its own. */
  open(session: SessionName): Promise<Person>
  /** Signs out of all opened sessions, because a person may have twenty at most. */
  closeOpened(): Promise<void>
}

/** Registers the people of the access matrix. */
export async function registerActors(stack: RunningStack): Promise<Actors> {
  const owner = await unlockedPerson(stack, { fullName: 'Olive Owner-of-the-Canaries' })
  const [friend, other, bystander, admin] = await Promise.all([
    unlockedPerson(stack),
    unlockedPerson(stack),
    unlockedPerson(stack, { password: 'the bystander’s own' }),
    adminPerson(stack),
  ])
  await admin.client.ok(setupNumericPassword, { body: { numericPassword: admin.pin } })
  await makePremium(admin, owner)
  // Parallel calls must reuse one token: a token request replaces the cookie of the one before.
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
      // Use the revoked cookie again.
      for (const [name, value] of cookies) ended.client.cookies.set(name, value)
      return ended
    },
  }
  return {
    owner,
    friend,
    other,
    admin,
    bystander,
    conversationId,
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
