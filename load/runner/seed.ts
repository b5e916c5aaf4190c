import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { getUser, login, verifyNumericPassword } from '@sumlock/contracts/auth-routes'
import { Client, RefusedError } from '@sumlock/deployment/api-client'
import { repoRoot } from '@sumlock/dev/config'
import type { Progress } from '@sumlock/dev/processes/progress'
import { demoAccounts } from '@sumlock/jobs/demo-accounts'
import { befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'

/** What a k6 script needs of a person. */
interface LoadPerson {
  userId: string
  username: string
  password: string
  pin: string
  /** The Cookie header of an unlocked session, and its CSRF token. */
  cookie: string
  csrfToken: string
  conversationId: string
}
type LoadPair = readonly [LoadPerson, LoadPerson]

/** Where the people of a gateway are kept: outside git, one file for each gateway. */
export const peopleFile = (gateway: string): string =>
  join(repoRoot, '.data/load', `${new URL(gateway).host.replace(':', '-')}.json`)

interface SeedOptions {
  gateway: string
  count: number
  file: string
  /** Grants premium: `username:password`; the started product's demo administrator when absent. */
  admin: string | undefined
  progress: Progress
}

/** Unlocks the pairs of the file again and registers the missing ones. One side of each pair has premium. */
export async function seedPairs({ gateway, count, file, admin, progress }: SeedOptions): Promise<void> {
  const known = readPairs(file)
  const pairs: LoadPair[] = []
  for (const pair of known.slice(0, count)) {
    const [ann, bob] = await retryWhileBusy(() => Promise.all(pair.map((one) => unlockAgain(gateway, one))))
    if (ann && bob) pairs.push([ann, bob])
  }
  const granting = pairs.length < count ? await signInAdmin(gateway, admin) : undefined
  if (granting) progress(`Registering ${count - pairs.length} pairs …`)
  while (granting && pairs.length < count) {
    pairs.push(await retryWhileBusy(() => makePair(gateway, granting)))
    // The next registration may be refused: keep the pairs made so far.
    writePairs(file, [...pairs, ...known.slice(count)])
  }
  writePairs(file, [...pairs, ...known.slice(count)])
}

function readPairs(file: string): LoadPair[] {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { pairs: LoadPair[] }).pairs
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new Error(`${file} cannot be read. Delete it to register new people.`, { cause: error })
  }
}

/** The file holds passwords and sessions: readable by its owner only. */
function writePairs(file: string, pairs: readonly LoadPair[]): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.part`, JSON.stringify({ pairs }, null, 1), { mode: 0o600 })
  renameSync(`${file}.part`, file)
}

/** Seeding is not measured: a gateway that is busy (503) is asked again. */
async function retryWhileBusy<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      if (error.status === 429)
        throw new Error(
          'The gateway limits registrations and sign-ins of one address. Start the product with SUMLOCK_RATE_LIMITS=off npm start, or use fewer --pairs.',
          { cause: error },
        )
      if (error.status !== 503 || tries === 5) throw error
      await wait(1000 * tries)
    }
  }
}

async function makePair(gateway: string, admin: Person): Promise<LoadPair> {
  const stack = { gatewayUrl: gateway }
  const [ann, bob] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await makePremium(admin, ann)
  const { id } = await befriend(ann, bob)
  return [await toLoadPerson(ann, id), await toLoadPerson(bob, id)]
}

async function toLoadPerson(person: Person, conversationId: string): Promise<LoadPerson> {
  const { client, user, username, password, pin } = person
  const csrfToken = await client.csrfToken()
  return { userId: user.id, username, password, pin, cookie: client.cookieHeader, csrfToken, conversationId }
}

/** The person with an unlocked session; null when the gateway does not know them. */
async function unlockAgain(gateway: string, person: LoadPerson): Promise<LoadPerson | null> {
  const client = new Client({ gatewayUrl: gateway })
  for (const [, name = '', value = ''] of person.cookie.matchAll(/([^=; ]+)=([^;]*)/g))
    client.cookies.set(name, value)
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
  const [, name = username, secret = password] = /^([^:]+):(.+)$/.exec(given ?? '') ?? []
  const account = { username: name, password: secret }
  const client = new Client({ gatewayUrl: gateway })
  const { status, body } = await client.call(login, { body: account })
  if (status === 200) return { client, user: body, ...account, pin, phone: body.phone }
  throw new Error(
    `${name} cannot sign in at ${gateway} (${status}) to grant premium. Set SUMLOCK_LOAD_ADMIN=username:password.`,
  )
}
