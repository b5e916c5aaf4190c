import { getIdentities, putIdentity, renewIdentity } from '@sumlock/contracts/identity-routes'
import { changeNumericPassword } from '@sumlock/contracts/lock-routes'
import { limits } from '@sumlock/contracts/limits'
import { listConversations, listKeys } from '@sumlock/contracts/messaging-routes'
import { epochsMax } from '@sumlock/contracts/sealed'
import { fromBase64Url, toBase64Url } from '@sumlock/sealing/bytes'
import { boxUp, stretch } from '@sumlock/sealing/own-key'
import { withDatabase } from '@sumlock/testing/database'
import { befriend, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import { endPause } from './end-pause.ts'
import { newKey, newPerson, onAnotherDevice, opened, refusal, unlock } from './own-keys.ts'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})
interface UserRow {
  _id: string
  keys: { epoch: number; box: string | null }[]
  version: number
}
const inAuth = <T>(look: Parameters<typeof withDatabase<T>>[2]) => withDatabase(stack, 'auth', look)
const rowOf = ({ user }: Person) =>
  inAuth((database) => database.collection<UserRow>('users').findOne({ _id: user.id }))

async function personWithKey() {
  const person = await newPerson(stack)
  person.client.keptToken = await person.client.csrfToken()
  const unlocked = await unlock(person)
  const first = await newKey(person, unlocked)
  await person.client.ok(putIdentity, { body: first.body })
  return { person, unlocked, first, next: await newKey(person, unlocked, 2) }
}
type Made = Awaited<ReturnType<typeof newKey>>
const pairOf = ({ key: { epoch, pub } }: Made) => ({ epoch, pub })
const renewal = ({ pin }: Person, { key, body }: Made, lostEpochs: number[] = []) => ({
  body: { currentNumericPassword: pin, key, pinVersion: body.pinVersion, lostEpochs },
})

it('a new key is added; lost keys lose their box, and the others open as before', async () => {
  const { person, unlocked, next } = await personWithKey()
  await person.client.ok(renewIdentity, renewal(person, next))
  const third = await newKey(person, unlocked, 3)
  await person.client.ok(renewIdentity, renewal(person, third, [1]))

  const after = await unlock(person)
  expect(after).toMatchObject({ identities: [next.key, third.key], nextEpoch: 4, pinVersion: 1 })
  expect(await opened(person, person.pin, after, 0)).toEqual(next.pkcs8)
  expect(await opened(person, person.pin, after, 1)).toEqual(third.pkcs8)
  expect((await rowOf(person))?.keys).toMatchObject([{ epoch: 1, box: null }, next.key, third.key])
})

it('with a wrong number nothing changes, and the entry is counted', async () => {
  const { person, next } = await personWithKey()
  const before = await rowOf(person)
  const call = person.client.call(renewIdentity, renewal({ ...person, pin: '99999' }, next))
  expect(await refusal(call)).toBe('403 wrong_pin')
  expect(await rowOf(person)).toEqual(before)
  await endPause(stack, person)
  expect((await unlock(person)).wrongEntries).toBe(1)
})

it('a renewal for another version of the number or for other keys is refused and changes nothing', async () => {
  const { person, next } = await personWithKey()
  const { body: right } = renewal(person, next, [1])
  const before = await rowOf(person)
  for (const change of [
    { pinVersion: 0 },
    { pinVersion: 2 },
    { key: { ...next.key, epoch: 1 } },
    { key: { ...next.key, epoch: 3 } },
    { lostEpochs: [2] },
  ]) {
    const body = { ...right, ...change }
    expect([change, await refusal(person.client.call(renewIdentity, { body }))]).toEqual([
      change,
      '409 key_conflict',
    ])
  }
  expect(await rowOf(person)).toEqual(before)
})

it('a point outside of the curve and an unknown secret are refused, as for a first key', async () => {
  const { person, next } = await personWithKey()
  const { body } = renewal(person, next)
  const noPoint = toBase64Url(new Uint8Array(65).fill(4))
  for (const [field, value] of [
    ['pub', noPoint],
    ['sk', 'unknown'],
  ] as const) {
    const bad = { ...body, key: { ...body.key, [field]: value } }
    const { status, body: answer } = await person.client.call(renewIdentity, { body: bad })
    expect([status, Object.keys((answer as { fields?: object }).fields ?? {})]).toEqual([
      400,
      [`key.${field}`],
    ])
  }
  expect((await rowOf(person))?.keys).toHaveLength(1)
})

it('of two renewals at once one wins, and the other changes nothing', async () => {
  const people = await Promise.all(Array.from({ length: 3 }, personWithKey))
  for (const { person, unlocked, first, next } of people) {
    const made = [next, await newKey(person, unlocked, 2)]
    const statuses = await Promise.all(
      made.map(async (one) => (await person.client.call(renewIdentity, renewal(person, one))).status),
    )
    expect(statuses.toSorted()).toEqual([200, 409])
    expect((await rowOf(person))?.keys).toEqual([first.key, made[statuses.indexOf(200)]?.key])
  }
})

it('never succeeds together with a change of the number, whose boxes would lack the new key', async () => {
  const people = await Promise.all(Array.from({ length: 3 }, personWithKey))
  for (const { person, first, next } of people) {
    const share = fromBase64Url(first.share.share)
    const { box } = await boxUp(first.stored, first.pkcs8, await stretch('97531', person.user.id), share)
    const boxes = [{ epoch: 1, box: toBase64Url(box), sk: first.share.sk }]
    const change = { currentNumericPassword: person.pin, numericPassword: '97531', boxes, pinVersion: 1 }
    const answers = await Promise.all([
      person.client.call(renewIdentity, renewal(person, next)),
      person.client.call(changeNumericPassword, { body: change }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const isRenewed = answers[0].status === 200
    const after = await unlock(person, isRenewed ? person.pin : '97531')
    expect(after.identities.map(({ epoch }) => epoch)).toEqual(isRenewed ? [1, 2] : [1])
    expect(await opened(person, isRenewed ? person.pin : '97531', after)).toEqual(first.pkcs8)
  }
})

it('repeated after a lost answer, a renewal is a success and stores nothing', async () => {
  const { person, next } = await personWithKey()
  await person.client.ok(renewIdentity, renewal(person, next, [1]))
  const before = await rowOf(person)
  expect((await person.client.call(renewIdentity, renewal(person, next, [1]))).status).toBe(200)
  expect(await rowOf(person)).toEqual(before)
})

it('locks the other sessions of the account, and not its own', async () => {
  const { person, next } = await personWithKey()
  const other = await onAnotherDevice(stack, person)
  await unlock(other)
  await other.client.ok(getIdentities)
  await person.client.ok(renewIdentity, renewal(person, next))
  await eventually(async () => expect(await refusal(other.client.call(getIdentities))).toBe('423 locked'))
  expect((await person.client.ok(getIdentities)).identities).toEqual([expect.anything(), next.key])
})

it('messaging tells the partner of the new key and keeps the former one', async () => {
  const { person, first, next } = await personWithKey()
  const partner = await unlockedPerson(stack)
  const { id } = await befriend(partner, person)
  const newestKey = async () => {
    const [conversation] = await partner.client.ok(listConversations)
    return conversation?.otherUser.keys
  }
  await eventually(async () => expect(await newestKey()).toEqual([pairOf(first)]))
  await person.client.ok(renewIdentity, renewal(person, next, [1]))
  await eventually(async () => expect(await newestKey()).toEqual([pairOf(next)]))
  expect(await partner.client.ok(listKeys, { params: { id } })).toMatchObject({
    keys: [pairOf(first), pairOf(next)],
  })
})

it(`a person has at most ${limits.boxedKeys} keys with a box, so that a change of the number can replace all boxes`, async () => {
  const { person, unlocked, first } = await personWithKey()
  const keys = Array.from({ length: limits.boxedKeys }, (_, at) => ({ ...first.key, epoch: at + 1 }))
  await inAuth((database) =>
    database.collection<UserRow>('users').updateOne({ _id: person.user.id }, { $set: { keys } }),
  )
  const next = await newKey(person, unlocked, limits.boxedKeys + 1)
  const call = person.client.call(renewIdentity, renewal(person, next))
  expect(await refusal(call)).toBe('409 too_many_keys')
  expect((await person.client.call(renewIdentity, renewal(person, next, [7]))).status).toBe(200)
})

it(`after ${epochsMax} keys a person unlocks as before, and a further key is refused`, async () => {
  const { person, first } = await personWithKey()
  const last = { ...first.key, epoch: epochsMax }
  await inAuth((database) =>
    database.collection<UserRow>('users').updateOne({ _id: person.user.id }, { $set: { keys: [last] } }),
  )
  const unlocked = await unlock(person)
  expect(unlocked).toMatchObject({ identities: [last], nextEpoch: epochsMax + 1 })
  const further = await newKey(person, unlocked, epochsMax + 1)
  expect(await refusal(person.client.call(renewIdentity, renewal(person, further, [epochsMax])))).toBe(
    '409 too_many_keys',
  )
  expect(await refusal(person.client.call(putIdentity, { body: further.body }))).toBe('409 too_many_keys')
})
