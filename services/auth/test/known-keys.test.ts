import { randomBytes } from 'node:crypto'
import { resetApp } from '@sumlock/contracts/auth-routes'
import { getKnownKey, putKnownKey } from '@sumlock/contracts/known-key-routes'
import { limits } from '@sumlock/contracts/limits'
import { lock, setupNumericPassword } from '@sumlock/contracts/lock-routes'
import { withDatabase } from '@sumlock/testing/database'
import { unlock, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import { keepKnownKey } from '../src/use-cases/keep-known-key.ts'
import { refusal } from './own-keys.ts'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})
const inAuth = <T>(look: Parameters<typeof withDatabase<T>>[2]) => withDatabase(stack, 'auth', look)

const randomText = (bytes: number) => randomBytes(bytes).toString('base64url')
const newName = () => randomText(32)
const newBox = () => randomText(80)

async function newPerson(): Promise<Person> {
  const person = await unlockedPerson(stack)
  person.client.keptToken = await person.client.csrfToken()
  return person
}
const put = ({ client }: Person, name: string, version: number, box = newBox()) =>
  client.call(putKnownKey, { params: { name }, body: { version, box } })
const read = ({ client }: Person, name: string) => client.ok(getKnownKey, { params: { name } })
const storedOf = ({ user }: Person) =>
  inAuth(async (database) => {
    const rows = await database.collection('known_keys').countDocuments({ userId: user.id })
    const row = await database.collection('users').findOne({ _id: user.id as never })
    return { rows, counted: row?.['knownKeyCount'] as number | undefined }
  })

it('a record starts with version 0, and each version replaces the previous one', async () => {
  const person = await newPerson()
  const name = newName()
  expect(await read(person, name)).toEqual({ version: 0, box: null })
  for (const version of [1, 2, 3]) {
    const box = newBox()
    expect(await put(person, name, version, box)).toMatchObject({ status: 200, body: { ok: true } })
    expect(await read(person, name)).toEqual({ version, box })
  }
  expect(await storedOf(person)).toEqual({ rows: 1, counted: 1 })
})

it('of 20 devices that store a version at once one wins, for a first version as for a later one', async () => {
  const person = await newPerson()
  const name = newName()
  for (const version of [1, 2, 3]) {
    const boxes = Array.from({ length: 20 }, newBox)
    const outcomes = await Promise.all(boxes.map((box) => refusal(put(person, name, version, box))))
    const winners = boxes.filter((_, at) => outcomes[at] === '200 undefined')
    expect(winners).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === '409 known_key_conflict')).toHaveLength(19)
    expect(await read(person, name)).toEqual({ version, box: winners[0] })
  }
  expect(await storedOf(person)).toEqual({ rows: 1, counted: 1 })
})

it('a repeat is a success, also for the first version and beside the original; another box or version is a conflict', async () => {
  const person = await newPerson()
  const name = newName()
  const [first, second] = [newBox(), newBox()]
  const twice = await Promise.all([put(person, name, 1, first), put(person, name, 1, first)])
  expect(twice.map(({ status }) => status)).toEqual([200, 200])
  expect((await put(person, name, 1, first)).status).toBe(200)
  expect(await refusal(put(person, name, 1, second))).toBe('409 known_key_conflict')
  expect((await put(person, name, 2, second)).status).toBe(200)
  expect((await put(person, name, 2, second)).status).toBe(200)
  for (const [version, box] of [
    [1, first],
    [2, first],
    [4, first],
  ] as const)
    expect(await refusal(put(person, name, version, box))).toBe('409 known_key_conflict')
  expect(await refusal(put(person, newName(), 2))).toBe('409 known_key_conflict')
  expect(await read(person, name)).toEqual({ version: 2, box: second })
})

it('another person sees nothing of a record, and has an own one under the same name', async () => {
  const [person, stranger] = await Promise.all([newPerson(), newPerson()])
  const name = newName()
  const [own, other] = [newBox(), newBox()]
  await put(person, name, 1, own)
  await put(person, name, 2, own)
  expect(await read(stranger, name)).toEqual({ version: 0, box: null })
  expect(await refusal(put(stranger, name, 3))).toBe('409 known_key_conflict')
  expect((await put(stranger, name, 1, other)).status).toBe(200)
  expect(await read(person, name)).toEqual({ version: 2, box: own })
})

it('a locked session neither reads nor stores a record', async () => {
  const person = await newPerson()
  const name = newName()
  await put(person, name, 1)
  await person.client.ok(lock)
  expect(await refusal(person.client.call(getKnownKey, { params: { name } }))).toBe('423 locked')
  expect(await refusal(put(person, name, 2))).toBe('423 locked')
})

it.each([
  ['a name that is no HMAC', { params: { name: 'a'.repeat(42) } }],
  ['a name of other characters', { params: { name: '~'.repeat(43) } }],
  ['a box of 28 bytes', { body: { version: 1, box: randomText(28) } }],
  ['a box of 513 bytes', { body: { version: 1, box: randomText(513) } }],
  ['version 0', { body: { version: 0, box: newBox() } }],
])('400 for %s', async (_, changes) => {
  const person = await newPerson()
  const right = { params: { name: newName() }, body: { version: 1, box: newBox() } }
  expect(await refusal(person.client.call(putKnownKey, { ...right, ...changes }))).toBe('400 invalid_request')
  expect(await storedOf(person)).toEqual({ rows: 0, counted: undefined })
})

it('takes boxes of 29 and of 512 bytes', async () => {
  const person = await newPerson()
  for (const bytes of [29, 512]) expect((await put(person, newName(), 1, randomText(bytes))).status).toBe(200)
})

it(`a person has at most ${limits.knownKeys} records, also when two devices add one at once`, async () => {
  const person = await newPerson()
  const name = newName()
  await put(person, name, 1)
  await inAuth((database) =>
    database
      .collection('users')
      .updateOne({ _id: person.user.id as never }, { $set: { knownKeyCount: limits.knownKeys - 1 } }),
  )
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => refusal(put(person, newName(), 1))))
  expect(outcomes.toSorted()).toEqual(['200 undefined', ...Array<string>(3).fill('409 too_many_known_keys')])
  expect(await storedOf(person)).toEqual({ rows: 2, counted: limits.knownKeys })
  expect((await put(person, name, 2)).status).toBe(200)
})

describe('a reset of the app', () => {
  const reset = ({ client, password }: Person) => client.ok(resetApp, { body: { password } })

  it('removes all records of the person, and none of another one', async () => {
    const [person, partner] = await Promise.all([newPerson(), newPerson()])
    const name = newName()
    for (const one of [person, partner]) for (const some of [name, newName()]) await put(one, some, 1)
    await reset(person)
    expect(await storedOf(person)).toEqual({ rows: 0, counted: undefined })
    expect(await storedOf(partner)).toEqual({ rows: 2, counted: 2 })
    await person.client.ok(setupNumericPassword, { body: { numericPassword: person.pin } })
    await unlock(person)
    expect(await read(person, name)).toEqual({ version: 0, box: null })
    expect((await put(person, name, 1)).status).toBe(200)
  })

  it('leaves nothing of a record that was being stored during the reset', async () => {
    const person = await newPerson()
    const { environment } = stack.service('auth')
    const ctx = await createContext(readConfig(environment))
    try {
      await reset(person)
      const late = { userId: person.user.id, name: newName(), version: 1, box: newBox() }
      await expect(keepKnownKey(ctx, late)).rejects.toMatchObject({ code: 'locked' })
    } finally {
      await ctx.close()
    }
    expect(await storedOf(person)).toEqual({ rows: 0, counted: undefined })
  })
})

it('records are removed by an index', async () => {
  const plan = await inAuth((database) =>
    database.collection('known_keys').find({ userId: 'x' }).explain('queryPlanner'),
  )
  expect(JSON.stringify(plan)).toContain('"indexName":"userId"')
})
