import { login } from '@sumlock/contracts/auth-routes'
import type { UnlockedKeys } from '@sumlock/contracts/identity-routes'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import { Client } from '@sumlock/deployment/api-client'
import { fromBase64Url, toBase64Url } from '@sumlock/sealing/bytes'
import { createKey, stretch, unbox } from '@sumlock/sealing/own-key'
import { registerPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import type { RunningStack } from '@sumlock/testing/shared-stack'

/** A locked person with a numeric password. */
export async function newPerson(stack: RunningStack): Promise<Person> {
  const person = await registerPerson(stack, { pin: '24680' })
  await person.client.ok(lockRoutes.setupNumericPassword, { body: { numericPassword: person.pin } })
  return person
}

export async function onAnotherDevice(stack: RunningStack, person: Person): Promise<Person> {
  const client = new Client(stack)
  await client.ok(login, { body: { username: person.username, password: person.password } })
  return { ...person, client }
}

export async function unlock({ client }: Pick<Person, 'client'>, numericPassword = '24680') {
  const answer = await client.ok(lockRoutes.verifyNumericPassword, { body: { numericPassword } })
  if (!('keyShares' in answer)) throw new Error('It was only probed.')
  return answer
}

/** A key as a client makes it after an unlock, with the body of its call. */
export async function newKey(
  { user, pin }: Person,
  { keyShares: [share], pinVersion }: UnlockedKeys,
  epoch = 1,
) {
  if (!share) throw new Error('There is no share.')
  const stretched = await stretch(pin, user.id)
  const { stored, pkcs8 } = await createKey({ userId: user.id, epoch }, stretched, fromBase64Url(share.share))
  const { pub, box, n } = stored
  const key = { epoch, pub: toBase64Url(pub), box: toBase64Url(box), n, sk: share.sk }
  return { stored, pkcs8, share, key, body: { ...key, pinVersion } }
}

/** The private key that an unlock answer opens, as a client does it. */
export async function opened({ user }: Person, pin: string, unlocked: UnlockedKeys, at = 0) {
  const row = unlocked.identities[at]
  const share = unlocked.keyShares.find(({ sk }) => sk === row?.sk)?.share ?? ''
  const stored = {
    userId: user.id,
    epoch: row?.epoch ?? 0,
    n: row?.n ?? 0,
    pub: fromBase64Url(row?.pub ?? ''),
    box: fromBase64Url(row?.box ?? ''),
  }
  return unbox(stored, await stretch(pin, user.id), fromBase64Url(share))
}

/** Status and code of a refused call. */
export async function refusal(call: Promise<{ status: number; body: unknown }>): Promise<string> {
  const { status, body } = await call
  return `${status} ${(body as { code?: string }).code}`
}
