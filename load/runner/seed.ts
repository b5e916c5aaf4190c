import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getUser, login } from '@sumlock/contracts/auth-routes'
import { putIdentity } from '@sumlock/contracts/identity-routes'
import { verifyNumericPassword } from '@sumlock/contracts/lock-routes'
import { Client, RefusedError } from '@sumlock/deployment/api-client'
import { repoRoot } from '@sumlock/dev/config'
import type { Progress } from '@sumlock/dev/processes/progress'
import { demoAccounts } from '@sumlock/jobs/demo-accounts'
import { befriend, makePremium, retryUnavailable, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import type { LoadPair, LoadPerson } from '../lib/load-person.ts'

/** Returns the path of the file with the people of a gateway. Each gateway has its own file, outside of git. */
export const peopleFile = (gateway: string): string =>
  join(repoRoot, '.data/load', `${new URL(gateway).host.replace(':', '-')}.json`)

/**
 * Unlocks the stored pairs again and registers the missing ones. One person of each pair has premium. `withKeys` gives
 * each person a public key, so that messages may name it and count as sealed.
 */
export async function seedPairs(
  gateway: string,
  count: number,
  progress: Progress,
  { withKeys = false } = {},
): Promise<void> {
  const file = peopleFile(gateway)
  const known = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { pairs: LoadPair[] }).pairs
    : []
  const pairs: LoadPair[] = []
  const save = () => writePairs(file, [...pairs, ...known.slice(count)])
  for (const pair of known.slice(0, count)) {
    const [ann, bob] = await Promise.all(
      pair.map((person) => retryUnavailable(() => unlockAgain(gateway, person, withKeys))),
    )
    if (ann && bob) pairs.push([ann, bob])
  }
  if (pairs.length < count) {
    progress(`Registering ${count - pairs.length} pairs …`)
    const admin = await signInAdmin(gateway)
    while (pairs.length < count) {
      pairs.push(await makePair(gateway, admin, withKeys))
      // The pairs are saved after each one, because the next registration may be refused.
      save()
    }
  }
  save()
}

/** Writes a file that only its owner can read, because it contains passwords and sessions. */
function writePairs(file: string, pairs: readonly LoadPair[]): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.part`, JSON.stringify({ pairs }, null, 1), { mode: 0o600 })
  renameSync(`${file}.part`, file)
}

async function makePair(gateway: string, admin: Person, withKeys: boolean): Promise<LoadPair> {
  const stack = { gatewayUrl: gateway }
  const [ann, bob] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await makePremium(admin, ann)
  const { id } = await befriend(ann, bob)
  if (withKeys) await Promise.all([ann, bob].map(({ client, pin }) => giveKey(client, pin)))
  return [await toLoadPerson(ann, id), await toLoadPerson(bob, id)]
}

async function toLoadPerson(person: Person, conversationId: string): Promise<LoadPerson> {
  const { client, user, username, password, pin } = person
  const csrfToken = await client.csrfToken()
  return { userId: user.id, username, password, pin, cookie: client.cookieHeader, csrfToken, conversationId }
}

/** Returns the person with an unlocked session; null if the gateway has no such account. */
async function unlockAgain(
  gateway: string,
  person: LoadPerson,
  withKeys: boolean,
): Promise<LoadPerson | null> {
  const { username, password, pin, cookie } = person
  const client = new Client({ gatewayUrl: gateway })
  for (const [, name = '', value = ''] of cookie.matchAll(/([^=; ]+)=([^;]*)/g))
    client.cookies.set(name, value)
  if ((await client.call(getUser)).status === 401) {
    const { status, body } = await client.call(login, { body: { username, password } })
    if (status !== 200) {
      const refused = new RefusedError(status, body)
      if (refused.code === 'wrong_credentials') return null
      throw refused
    }
  }
  await client.ok(verifyNumericPassword, { body: { numericPassword: pin } })
  if (withKeys) await giveKey(client, pin)
  return { ...person, csrfToken: await client.csrfToken(), cookie: client.cookieHeader }
}

/** Stores a person's first public key. It is the same for everyone, and its box contains nothing. */
async function giveKey(client: Client, numericPassword: string): Promise<void> {
  const answer = await client.ok(verifyNumericPassword, { body: { numericPassword } })
  if (!('keyShares' in answer) || answer.identities.length > 0) return
  const { pinVersion, keyShares } = answer
  const body = { ...putIdentity.example.body, sk: keyShares[0]?.sk ?? '', pinVersion }
  await client.ok(putIdentity, { body })
}

/**
 * Signs in the administrator who grants premium: the one in SUMLOCK_LOAD_ADMIN (`username:password`), or the demo
 * administrator of the started product.
 */
async function signInAdmin(gateway: string): Promise<Person> {
  const given = /^(?<username>[^:]+):(?<password>.+)$/.exec(process.env['SUMLOCK_LOAD_ADMIN'] ?? '')?.groups
  const { username, password, pin } = { ...demoAccounts.admin, ...given }
  const client = new Client({ gatewayUrl: gateway })
  const { status, body } = await client.call(login, { body: { username, password } })
  if (status === 200) return { client, user: body, username, password, pin, phone: body.phone }
  throw new Error(
    `${username} cannot sign in at ${gateway} (${status}) to grant premium. Set SUMLOCK_LOAD_ADMIN=username:password.`,
  )
}
