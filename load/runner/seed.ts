import { setTimeout as wait } from 'node:timers/promises'
import { getUser, login, verifyNumericPassword } from '@sumlock/contracts/auth-routes'
import { demoAccounts } from '@sumlock/jobs/demo-accounts'
import type { Progress } from '@sumlock/dev/processes/progress'
import { Client, RefusedError } from '@sumlock/deployment/api-client'
import { befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { readPairs, writePairs } from './people-file.ts'
import type { LoadPair, LoadPerson } from './people-file.ts'

/** Passwords are hashed one after the other behind a short queue: more at once would only be sent away. */
const atOnce = 2

export interface SeedOptions {
  gateway: string
  count: number
  file: string
  /** Who grants premium: `username:password`; the started product's demo administrator when absent. */
  admin: string | undefined
  progress: Progress
}

/**
 * Pairs with a conversation, one side premium, both sessions unlocked: those of the file are unlocked again, and as many
 * as are missing come in through the public door.
 */
export async function seedPairs({ gateway, count, file, admin, progress }: SeedOptions): Promise<LoadPair[]> {
  const known = readPairs(file)
  const kept = await inBatches(known.slice(0, count), (pair) => patiently(() => unlockAgain(gateway, pair)))
  const pairs = kept.filter((pair) => pair !== null)
  const later = known.slice(count)
  if (pairs.length < known.length - later.length)
    progress(`${known.length - later.length - pairs.length} pairs are not known there any more`)
  if (pairs.length < count) {
    progress(`Making ${count - pairs.length} pairs …`)
    const granting = await signInAdmin(gateway, admin)
    while (pairs.length < count) {
      const size = Math.min(atOnce, count - pairs.length)
      const make = () => patiently(() => makePair(gateway, granting))
      pairs.push(...(await inBatches(Array.from({ length: size }), make)))
      // What comes next may be refused: the ones made so far are not lost.
      writePairs(file, [...pairs, ...later])
    }
  }
  writePairs(file, [...pairs, ...later])
  return pairs
}

async function inBatches<A, B>(items: readonly A[], work: (item: A) => Promise<B>): Promise<B[]> {
  const done: B[] = []
  for (let from = 0; from < items.length; from += atOnce)
    done.push(...(await Promise.all(items.slice(from, from + atOnce).map(work))))
  return done
}

/** Seeding is no measurement: a gateway that is busy (503) is asked again. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof RefusedError) || error.status !== 503 || tries === 5) throw explained(error)
      await wait(1000 * tries)
    }
  }
}

async function makePair(gateway: string, admin: Person): Promise<LoadPair> {
  const stack = { gatewayUrl: gateway }
  const [ann, bob] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await makePremium(admin, ann)
  const { id: conversationId } = await befriend(ann, bob)
  return [await writtenDown(ann, conversationId), await writtenDown(bob, conversationId)]
}

async function writtenDown(person: Person, conversationId: string): Promise<LoadPerson> {
  const { client, user, username, password, pin } = person
  const csrfToken = await client.csrfToken()
  return { userId: user.id, username, password, pin, cookie: client.cookieHeader, csrfToken, conversationId }
}

/** The pair with both sessions unlocked; null when the gateway does not know them. */
async function unlockAgain(gateway: string, pair: LoadPair): Promise<LoadPair | null> {
  const [ann, bob] = await Promise.all(pair.map((person) => unlockPerson(gateway, person)))
  return ann && bob ? [ann, bob] : null
}

async function unlockPerson(gateway: string, person: LoadPerson): Promise<LoadPerson | null> {
  const client = new Client({ gatewayUrl: gateway })
  for (const pair of person.cookie.split('; ')) {
    const at = pair.indexOf('=')
    client.cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
  const { username, password, pin } = person
  if ((await client.call(getUser)).status === 401) {
    const { status, body } = await client.call(login, { body: { username, password } })
    if (status === 429 || status >= 500) throw new RefusedError(status, body)
    if (status !== 200) return null
  }
  await client.ok(verifyNumericPassword, { body: { numericPassword: pin } })
  return { ...person, csrfToken: await client.csrfToken(), cookie: client.cookieHeader }
}

async function signInAdmin(gateway: string, given: string | undefined): Promise<Person> {
  const { username, password, pin } = demoAccounts.admin
  const at = given?.indexOf(':') ?? -1
  if (given !== undefined && at < 1) throw new Error('SUMLOCK_LOAD_ADMIN wants username:password.')
  const account =
    given === undefined
      ? { username, password }
      : { username: given.slice(0, at), password: given.slice(at + 1) }
  const client = new Client({ gatewayUrl: gateway })
  const { status, body } = await client.call(login, { body: account }).catch((error: unknown) => {
    throw explained(error)
  })
  if (status !== 200)
    throw new Error(
      `${account.username} cannot sign in at ${gateway} (${status}) to grant premium: name an administrator there with SUMLOCK_LOAD_ADMIN=username:password.`,
    )
  return { client, user: body, ...account, pin, phone: body.phone }
}

function explained(error: unknown): unknown {
  if (error instanceof TypeError && error.message === 'fetch failed')
    return new Error('The gateway does not answer: look whether it is running, and at its address.', {
      cause: error,
    })
  if (!(error instanceof RefusedError) || error.status !== 429) return error
  return new Error(
    'The gateway lets one address register 30 people in ten minutes and sign in 30 times a minute. Start the product with SUMLOCK_RATE_LIMITS=off npm start, or ask for fewer with --pairs.',
    { cause: error },
  )
}
