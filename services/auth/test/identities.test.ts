import { getIdentities, putIdentity } from '@sumlock/contracts/identity-routes'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import { resetApp } from '@sumlock/contracts/auth-routes'
import { fromBase64Url, toBase64Url } from '@sumlock/sealing/bytes'
import { boxUp, stretch } from '@sumlock/sealing/own-key'
import { withDatabase } from '@sumlock/testing/database'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { keepIdentity } from '../src/use-cases/keep-identity.ts'
import { unlock as unlockIn } from '../src/use-cases/unlock.ts'
import { newKey, newPerson, onAnotherDevice, opened, refusal, unlock } from './own-keys.ts'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})
const inAuth = <T>(look: Parameters<typeof withDatabase<T>>[2]) => withDatabase(stack, 'auth', look)

async function personWithKey() {
  const person = await newPerson(stack)
  const unlocked = await unlock(person)
  const made = await newKey(person, unlocked)
  await person.client.ok(putIdentity, { body: made.body })
  return { person, unlocked, ...made }
}

it('the key of a first unlock opens at the next one, with the number and the share of its answer', async () => {
  const { person, pkcs8, unlocked } = await personWithKey()
  expect(unlocked).toMatchObject({ identities: [], nextEpoch: 1, pinVersion: 1 })
  await person.client.ok(lockRoutes.lock)
  expect(await opened(person, person.pin, await unlock(person))).toEqual(pkcs8)
})

it('no share is given to a probe, and no key while locked', async () => {
  const { person } = await personWithKey()
  await person.client.ok(lockRoutes.lock)
  const body = { numericPassword: person.pin, intent: 'probe' } as const
  expect(await person.client.ok(lockRoutes.verifyNumericPassword, { body })).toEqual({ hint: false })
  expect(await refusal(person.client.call(getIdentities))).toBe('423 locked')
})

it('of two devices at once one wins; the other reads the key of the winner, and a repeat changes nothing', async () => {
  const person = await newPerson(stack)
  const devices = [person, await onAnotherDevice(stack, person)]
  const keys = await Promise.all(
    devices.map(async (device) => ({ device, key: await newKey(person, await unlock(device)) })),
  )
  const statuses = await Promise.all(
    keys.map(async ({ device, key }) => (await device.client.call(putIdentity, { body: key.body })).status),
  )
  expect(statuses.toSorted()).toEqual([200, 409])
  const winner = keys[statuses.indexOf(200)]?.key
  for (const { client } of devices) {
    const { identities } = await client.ok(getIdentities)
    expect(identities.map(({ pub }) => pub)).toEqual([winner?.body.pub])
  }
  expect(
    (await keys[statuses.indexOf(200)]?.device.client.call(putIdentity, { body: winner!.body }))?.status,
  ).toBe(200)
})

it('a key is stored within a minute of the unlock only', async () => {
  const person = await newPerson(stack)
  const { body } = await newKey(person, await unlock(person))
  await inAuth((database) =>
    database
      .collection('sessions')
      .updateMany({ userId: person.user.id }, { $set: { unlockStartedAt: new Date(Date.now() - 61_000) } }),
  )
  expect(await refusal(person.client.call(putIdentity, { body }))).toBe('403 recent_unlock_required')
  expect((await person.client.ok(getIdentities)).identities).toEqual([])
})

it('refuses a point outside of the curve, an unknown secret, a later epoch and another version of the number', async () => {
  const person = await newPerson(stack)
  const { body } = await newKey(person, await unlock(person))
  const noPoint = toBase64Url(new Uint8Array(65).fill(4))
  for (const [change, expected] of [
    [{ pub: noPoint }, '400 invalid_request'],
    [{ sk: 'unknown' }, '400 invalid_request'],
    [{ epoch: 2 }, '409 key_conflict'],
    [{ pinVersion: 2 }, '409 key_conflict'],
  ] as const)
    expect(await refusal(person.client.call(putIdentity, { body: { ...body, ...change } }))).toBe(expected)
  expect((await person.client.ok(getIdentities)).identities).toEqual([])
})

describe('a change of the number', () => {
  const change = ({ client, pin }: Person, rest: object = {}) =>
    client.call(lockRoutes.changeNumericPassword, {
      body: { currentNumericPassword: pin, numericPassword: '97531', ...rest },
    })
  async function newBoxes({ person, stored, pkcs8, share }: Awaited<ReturnType<typeof personWithKey>>) {
    const next = await stretch('97531', person.user.id)
    const { box } = await boxUp(stored, pkcs8, next, fromBase64Url(share.share))
    return [{ epoch: 1, box: toBase64Url(box), sk: share.sk }]
  }

  it('brings a new box of the same key: the next unlock opens it with the new number', async () => {
    const made = await personWithKey()
    expect((await change(made.person, { boxes: await newBoxes(made), pinVersion: 1 })).status).toBe(200)
    const unlocked = await unlock(made.person, '97531')
    expect(unlocked.pinVersion).toBe(2)
    expect(await opened(made.person, '97531', unlocked)).toEqual(made.pkcs8)
  })

  it('never succeeds together with the first key, whose box is for the former number', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => newPerson(stack)))
    const races = people.map(async (person) => {
      const { body } = await newKey(person, await unlock(person))
      const [changed, kept] = await Promise.all([change(person), person.client.call(putIdentity, { body })])
      return [changed.status, kept.status].toSorted()
    })
    expect(await Promise.all(races)).toEqual(people.map(() => [200, 409]))
  })

  it('without the boxes, with others, or with those of an earlier number changes nothing', async () => {
    const made = await personWithKey()
    const [box] = await newBoxes(made)
    for (const rest of [
      {},
      { boxes: [box] },
      { boxes: [box], pinVersion: 0 },
      { boxes: [box, box], pinVersion: 1 },
      { boxes: [{ ...box, epoch: 2 }], pinVersion: 1 },
    ])
      expect(await refusal(change(made.person, rest))).toBe('409 boxes_required')
    await made.person.client.ok(lockRoutes.lock)
    expect(await opened(made.person, made.person.pin, await unlock(made.person))).toEqual(made.pkcs8)
  })
})

it('after a reset of the app the former key is gone, and the next one has the next epoch', async () => {
  const { person, body: former } = await personWithKey()
  await person.client.ok(resetApp, { body: { password: person.password } })
  await person.client.ok(lockRoutes.setupNumericPassword, { body: { numericPassword: person.pin } })
  const unlocked = await unlock(person)
  expect(unlocked).toMatchObject({ identities: [], nextEpoch: 2, pinVersion: 3 })
  const again = { ...former, pinVersion: 3 }
  expect(await refusal(person.client.call(putIdentity, { body: again }))).toBe('409 key_conflict')
  const { body } = await newKey(person, unlocked, 2)
  await person.client.ok(putIdentity, { body })
  expect((await person.client.ok(getIdentities)).identities).toMatchObject([{ epoch: 2, pub: body.pub }])
  const row = await inAuth((database) =>
    database.collection('users').findOne({ _id: person.user.id as never }),
  )
  expect(row?.['keys']).toMatchObject([{ epoch: 1, pub: former.pub, box: null }, { epoch: 2 }])
})

it('the key of the copy on the device changes at each unlock, and is removed by the lock', async () => {
  const person = await newPerson(stack)
  const { copyKey } = await unlock(person)
  expect(copyKey).toHaveLength(43)
  expect((await person.client.ok(getIdentities)).copyKey).toBe(copyKey)
  // Entering the number again continues the same unlock.
  expect((await unlock(person)).copyKey).toBe(copyKey)
  await person.client.ok(lockRoutes.lock)
  const rows = await inAuth((database) =>
    database.collection('sessions').find({ userId: person.user.id }).toArray(),
  )
  expect(rows.map(({ copyKey: kept }) => kept as unknown)).toEqual([undefined])
  expect((await unlock(person)).copyKey).not.toBe(copyKey)
})

it('after a rotation of the secrets, a box moves to the present one, and then needs no other', async () => {
  const { person, pkcs8, stored, share: former } = await personWithKey()
  const [session] = await inAuth((database) =>
    database.collection('sessions').find({ userId: person.user.id }).toArray(),
  )
  const entry = { userId: person.user.id, sessionId: String(session?._id), pin: person.pin }
  const secrets = JSON.parse(stack.service('auth').environment['KEY_SHARE_SECRETS'] ?? '') as object[]
  const present = { id: 'present', secret: 'c'.repeat(64) }

  await withSecrets([present, ...secrets], async (ctx) => {
    const unlocked = await unlockIn(ctx, entry, 'password-mode')
    expect(unlocked.keyShares.map(({ sk }) => sk)).toEqual(['present', former.sk])
    expect(await opened(person, person.pin, unlocked)).toEqual(pkcs8)
    const share = fromBase64Url(unlocked.keyShares[0]?.share ?? '')
    const { box, n } = await boxUp(stored, pkcs8, await stretch(person.pin, person.user.id), share)
    const key = { epoch: 1, pub: toBase64Url(stored.pub), box: toBase64Url(box), n, sk: 'present' }
    const moved = { ...entry, key, pinVersion: unlocked.pinVersion }
    const otherKey = { ...key, pub: (await newKey(person, unlocked)).key.pub }
    await expect(keepIdentity(ctx, { ...moved, key: otherKey })).rejects.toThrow('another device')
    await keepIdentity(ctx, moved)
  })
  await withSecrets([present], async (ctx) => {
    const unlocked = await unlockIn(ctx, entry, 'password-mode')
    expect(unlocked.keyShares.map(({ sk }) => sk)).toEqual(['present'])
    expect(await opened(person, person.pin, unlocked)).toEqual(pkcs8)
  })
})

/** Runs with a context of auth that has these secrets for shares. */
async function withSecrets(secrets: readonly object[], run: (ctx: Context) => Promise<void>): Promise<void> {
  const { environment } = stack.service('auth')
  const ctx = await createContext(readConfig({ ...environment, KEY_SHARE_SECRETS: JSON.stringify(secrets) }))
  try {
    await run(ctx)
  } finally {
    await ctx.close()
  }
}
