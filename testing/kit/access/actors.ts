import { unsuspendUser, suspendUser } from '@sumlock/contracts/admin-routes'
import { deleteAccount } from '@sumlock/contracts/account-routes'
import { login, logout } from '@sumlock/contracts/auth-routes'
import { setDiscreetMode } from '@sumlock/contracts/lock-routes'
import { setConversationState } from '@sumlock/contracts/conversation-state-routes'
import { Client } from '@sumlock/deployment/api-client'
import {
  adminPerson,
  befriend,
  makePremium,
  registerPerson,
  signedInLongAgo,
  unlock,
  unlockedPerson,
} from '../people.ts'
import type { Person } from '../people.ts'
import type { SessionName } from './verdicts.ts'
import type { RunningStack } from '../shared-stack.ts'

export type Actors = Awaited<ReturnType<typeof registerActors>>

/**
 * Registers the people of the access matrix. The owner has the sessions `locked`, `discreet`, `unlocked` and `revoked`, is in
 * discreet mode, and has premium, so that the daily limit refuses no send. The friend shares the conversation with the
 * owner; the owner has blocked another one. The bystander has no conversation: calls may name this person without a connection to the owner.
 */
export async function registerActors(stack: RunningStack) {
  const owner = await unlockedPerson(stack, { fullName: 'Olive Owner-of-the-Canaries' })
  const [friend, other, blocked, suspended, leaving, bystander, admin] = await Promise.all([
    unlockedPerson(stack),
    unlockedPerson(stack),
    unlockedPerson(stack),
    unlockedPerson(stack),
    unlockedPerson(stack),
    unlockedPerson(stack, { password: 'the bystander’s own' }),
    adminPerson(stack),
  ])
  // A change of the number in one unlocked session locks the others of its account.
  const [calling, stale] = await Promise.all([adminPerson(stack), adminPerson(stack)])
  await makePremium(admin, owner)
  // Parallel calls must reuse one token: each token request replaces the cookie.
  for (const { client } of [friend, other, blocked]) await client.csrfToken()
  await owner.client.ok(setDiscreetMode, { body: { isDiscreet: true } })
  const { id: conversationId } = await befriend(owner, friend)
  const { id: blockedConversationId } = await befriend(owner, blocked)
  await owner.client.ok(setConversationState, {
    params: { id: blockedConversationId },
    body: { isBlocked: true },
  })

  const signIn = async (person: Person): Promise<Person> => {
    const client = new Client({ gatewayUrl: stack.gatewayUrl })
    const { username, password } = person
    return { ...person, client, user: await client.ok(login, { body: { username, password } }) }
  }
  const signInUnlocked = async (person: Person) => {
    const signedIn = await signIn(person)
    await unlock(signedIn)
    return signedIn
  }
  const signInLongAgo = async (person: Person, minutes: number) => {
    const signedIn = await signIn(person)
    await signedInLongAgo(stack, signedIn, minutes)
    return signedIn
  }
  const signInLeaving = async () => {
    const signedIn = await signIn(leaving)
    if (signedIn.user.deletionScheduledFor) return signedIn
    // This runs the first time, and after a call has kept the account.
    await signedIn.client.ok(deleteAccount, { body: { password: leaving.password } })
    return signIn(leaving)
  }
  // The calls run one after the other, because a deletion ends the open sessions.
  let openingLeaving = Promise.resolve(leaving)
  let opening = Promise.resolve(suspended)
  const suspend = async () => {
    const { id: userId } = suspended.user
    await admin.client.ok(unsuspendUser, { params: { userId } })
    const person = await signInUnlocked(suspended)
    await admin.client.ok(suspendUser, { params: { userId } })
    return person
  }
  const opened: Person[] = []
  const openers: Record<SessionName, () => Promise<Person>> = {
    anonymous: () => Promise.resolve({ ...owner, client: new Client({ gatewayUrl: stack.gatewayUrl }) }),
    withoutPin: () => registerPerson(stack),
    deleted: () => (openingLeaving = openingLeaving.then(signInLeaving, signInLeaving)),
    locked: () => signIn(owner),
    discreet: () => signInLongAgo(owner, 20),
    unlocked: () => signInUnlocked(owner),
    other: () => signInUnlocked(other),
    blocked: () => signInUnlocked(blocked),
    admin: () => signInUnlocked(calling),
    staleAdmin: async () => {
      const signedIn = await signInLongAgo(stale, 16)
      await unlock(signedIn)
      return signedIn
    },
    lockedAdmin: () => signInLongAgo(calling, 16),
    suspended: () => (opening = opening.then(suspend, suspend)),
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
    /** A new session of this kind, on a device of its own. */
    async open(session: SessionName): Promise<Person> {
      const person = await openers[session]()
      opened.push(person)
      return person
    },
    /** Signs out of all opened sessions, because a person may have twenty at most. */
    /** The conversation that the calls of a session name, and the person. */
    namedBy: (session: SessionName | 'friend') => ({
      bystander,
      conversationId: session === 'blocked' ? blockedConversationId : conversationId,
    }),
    async closeOpened(): Promise<void> {
      await Promise.all(opened.splice(0).map(({ client }) => client.call(logout)))
    },
  }
}
