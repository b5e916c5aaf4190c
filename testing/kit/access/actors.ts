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
 * Registers the people of the access matrix. The sessions `locked`, `discreet`, `unlocked` and `revoked` belong to the
 * owner, who is in discreet mode and has premium, so that the daily limit refuses no message. The friend shares a
 * conversation with the owner, who has blocked the conversation with `blocked`. The bystander has no conversation, so a
 * call that names this person reveals nothing about the owner.
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
  // A change of the phone number in one unlocked session locks the other sessions of the account, so each kind of
  // session has its own administrator.
  const [calling, stale] = await Promise.all([adminPerson(stack), adminPerson(stack)])
  await makePremium(admin, owner)
  // Each request for a CSRF token replaces the cookie, so parallel calls must share one token.
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
    // The deletion is requested the first time, and again after a call has cancelled it.
    await signedIn.client.ok(deleteAccount, { body: { password: leaving.password } })
    return signIn(leaving)
  }
  // These sessions are opened one after the other, because a deletion ends the sessions that are open.
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
      // The client sends the revoked cookie again, which must be refused.
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
    /** Opens a new session of this kind, with its own cookies. */
    async open(session: SessionName): Promise<Person> {
      const person = await openers[session]()
      opened.push(person)
      return person
    },
    /** Returns the conversation and the person that the calls of a session name. */
    namedBy: (session: SessionName | 'friend') => ({
      bystander,
      conversationId: session === 'blocked' ? blockedConversationId : conversationId,
    }),
    /** Signs out of all opened sessions, because a person may have twenty at most. */
    async closeOpened(): Promise<void> {
      await Promise.all(opened.splice(0).map(({ client }) => client.call(logout)))
    },
  }
}
