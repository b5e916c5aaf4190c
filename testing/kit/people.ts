import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { confirmPassword } from '@sumlock/contracts/account-routes'
import * as auth from '@sumlock/contracts/auth-routes'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import { grantPremium } from '@sumlock/contracts/billing-routes'
import { startConversation } from '@sumlock/contracts/messaging-routes'
import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import type { WholeUser } from '@sumlock/contracts/user'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { Client, RefusedError } from '@sumlock/deployment/api-client'
import type { ClientOptions } from '@sumlock/deployment/api-client'
import { withDatabase } from './database.ts'
import { freshPhone } from './fresh-phone.ts'
import type { RunningStack } from './shared-stack.ts'

export interface Person {
  client: Client
  user: WholeUser
  username: string
  password: string
  pin: string
  phone: string
}

export interface PersonOptions {
  username?: string
  fullName?: string
  email?: string
  password?: string
  pin?: string
  /** Reads the phone code. By default, the code comes from the answer, which contains it only outside of production. */
  readCode?: (phone: string) => Promise<string>
}

/** A service did not answer in time, or too many passwords waited for their turn. */
const isBusy = (error: unknown): error is RefusedError =>
  error instanceof RefusedError && (error.status === 503 || error.code === 'too_many_requests')

/** Repeats a setup step up to five times, because a busy machine must not fail a test before it begins. */
export async function retryUnavailable<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = 5; ; left -= 1) {
    try {
      return await attempt()
    } catch (error) {
      if (left === 0 || !isBusy(error)) throw error
      process.stderr.write(
        `  The gateway answered ${error.status} during setup. The step is repeated after a second.\n`,
      )
      await wait(1000)
    }
  }
}

/** Registers a person with a verified phone through the gateway. The session is signed in and has no PIN yet. */
export async function registerPerson(gateway: ClientOptions, options: PersonOptions = {}): Promise<Person> {
  const client = new Client(gateway)
  const username = options.username ?? `u${randomUUID().slice(0, 12)}`
  const password = options.password ?? 'correct horse'
  const phone = freshPhone()
  const sent = await client.ok(auth.requestPhoneCode, { body: { phone } })
  const code = options.readCode ? await options.readCode(phone) : (sent.demoCode ?? '')
  await client.ok(auth.verifyPhoneCode, { body: { code } })
  const user = await client.ok(auth.register, {
    body: {
      username,
      password,
      phone,
      email: options.email ?? `${username}@example.com`,
      fullName: options.fullName ?? username,
    },
  })
  return { client, user, username, password, pin: options.pin ?? '2468', phone }
}

async function personWithPin(gateway: ClientOptions, options: PersonOptions = {}): Promise<Person> {
  const person = await registerPerson(gateway, options)
  await person.client.ok(lockRoutes.setupNumericPassword, { body: { numericPassword: person.pin } })
  return person
}

/** Registers a person, sets the PIN and unlocks. */
export function unlockedPerson(gateway: ClientOptions, options: PersonOptions = {}): Promise<Person> {
  return retryUnavailable(async () => {
    const person = await personWithPin(gateway, options)
    await unlock(person)
    return person
  })
}

/** Auth hashes two passwords at a time, and refuses one that has waited 0.8 s for its turn. */
const madeAtOnce = 5

/** Makes this number of people, five at a time, because a slow machine cannot hash the passwords of more. */
export async function makePeople(count: number, make: () => Promise<Person>): Promise<Person[]> {
  const people: Person[] = []
  while (people.length < count) {
    const wanted = Math.min(madeAtOnce, count - people.length)
    people.push(...(await Promise.all(Array.from({ length: wanted }, make))))
  }
  return people
}

/** Returns the user as the route `getUser` shows it. Throws for an account in discreet mode. */
export async function readUser(client: Client): Promise<WholeUser> {
  const user = await client.ok(auth.getUser)
  if (!isWholeUser(user)) throw new Error(`${user.username} is in discreet mode.`)
  return user
}

export async function unlock(person: Person): Promise<void> {
  await person.client.ok(lockRoutes.verifyNumericPassword, { body: { numericPassword: person.pin } })
}

/** Signs in to a new session, and unlocks it. */
export async function signInAgain(person: Person): Promise<void> {
  const { client, username, password } = person
  client.keptToken = undefined
  await client.ok(auth.login, { body: { username, password } })
  await unlock(person)
}

/** Opens a conversation of two people; the first one uses the other's code. */
export function befriend(first: Person, second: Person): Promise<Conversation> {
  return retryUnavailable(() =>
    first.client.ok(startConversation, { body: { userCode: second.user.userCode } }),
  )
}

/**
 * Registers an administrator of this stack and unlocks the session. The account password, which was just given, counts
 * for 15 minutes.
 */
export async function adminPerson(stack: RunningStack): Promise<Person> {
  const person = await retryUnavailable(() => personWithPin(stack))
  // This does what the command set-admin does, which takes a second of a processor to load; `admin.test.ts` runs the
  // command.
  await withDatabase(stack, 'auth', (database) =>
    database.collection('users').updateOne({ username: person.username }, { $set: { isAdmin: true } }),
  )
  // The gateway may cache the old session without the new role for some seconds, so the administrator signs in to a new
  // one.
  await retryUnavailable(() => signInAgain(person))
  return person
}

/** Unlocks an administrator's session again and confirms the password again, because both expire during long tests. */
export async function administrateOn(admin: Person): Promise<void> {
  await unlock(admin)
  await admin.client.ok(confirmPassword, { body: { password: admin.password } })
}

/** Gives people a year of premium, and waits until they have it. */
export async function makePremium(admin: Person, ...people: Person[]): Promise<void> {
  await retryUnavailable(() => administrateOn(admin))
  await Promise.all(
    people.map(async ({ user, client }) => {
      await retryUnavailable(() => admin.client.ok(grantPremium, { body: { userId: user.id, days: 365 } }))
      await waitUntil('the premium subscription', async () => {
        return (await readUser(client)).subscriptionType === 'premium'
      })
    }),
  )
}

/** Changes the stored sign-in time of a person's session, as if these minutes had passed. */
export async function signedInLongAgo(
  stack: RunningStack,
  { client }: Pick<Person, 'client'>,
  minutes = 20,
): Promise<void> {
  const cookieHash = createHash('sha256')
    .update(client.cookies.get('sid') ?? '')
    .digest('base64url')
  const createdAt = new Date(Date.now() - minutes * 60_000)
  await withDatabase(stack, 'auth', (database) =>
    database.collection('sessions').updateOne({ cookieHash }, { $set: { createdAt } }),
  )
}
