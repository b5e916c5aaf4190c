import { randomUUID } from 'node:crypto'
import type { Entitlement, Person } from '@sumlock/contracts/internal-routes'
import { begin } from '@sumlock/testing/many-messages'
import { openNamespace } from '@sumlock/testing/namespace'
import type { Namespace } from '@sumlock/testing/namespace'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { beginErasing } from '../src/use-cases/erase-person.ts'
import { createEntitlementReader, createPeopleReader } from '../src/use-cases/read-owners-changes.ts'

let namespace: Namespace
let ctx: Context
/** The lists of auth and billing, which do not run here. */
let people: { person: Person; changedAt: string }[] = []
let entitlements: { entitlement: Entitlement; changedAt: string }[] = []
/** The times since which auth's list was requested. */
let asked: Date[] = []

const since = <T extends { changedAt: string }>(list: T[], from: Date) =>
  Promise.resolve(list.filter(({ changedAt }) => changedAt >= from.toISOString()))
beforeAll(async () => {
  namespace = await openNamespace()
  ctx = {
    ...(await createContext(readConfig(namespace.environmentOf('messaging')))),
    askPersonChanges: (from) => {
      asked.push(from)
      return since(people, from)
    },
    askEntitlementChanges: (from) => since(entitlements, from),
    purges: { confirm: () => Promise.resolve({ isRepeated: false }), acknowledge: () => Promise.resolve() },
  }
})
afterAll(async () => {
  await ctx?.close()
  await namespace?.close()
})

const rowsOf = (name: string) => ctx.connection.collection<{ _id: string }>(name)
let userId: string
let partnerId: string
beforeEach(async () => {
  ;[userId, partnerId] = [randomUUID(), randomUUID()]
  people = []
  entitlements = []
  asked = []
  await rowsOf('cursors').deleteMany({})
  await begin(ctx.connection, [{ id: randomUUID(), memberIds: [userId, partnerId] }])
})

const listed = (version: number, more: Partial<Person> = {}) =>
  people.push({
    person: { userId, username: `name ${version}`, userCode: 'ABCDEFGH1', version, ...more },
    changedAt: new Date(Date.now() + version).toISOString(),
  })
const paid = (version: number) =>
  entitlements.push({
    entitlement: {
      ...{ userId, subscriptionType: 'premium', version },
      subscriptionExpiresAt: `20${50 + version}-01-01T00:00:00.000Z`,
    },
    changedAt: new Date(Date.now() + version).toISOString(),
  })
const stored = async () => {
  const [person, status] = await Promise.all([
    ctx.people.byIds([userId]),
    ctx.entitlements.statusesOf([userId]),
  ])
  return { ...person.get(userId), status: status[0] }
}
/** Counts the events about changed limits to the person and the partner. */
const published = async () => {
  const rows = await ctx.connection
    .collection('outbox')
    .find({ value: { $regex: userId } })
    .toArray()
  expect(rows.every(({ value }) => String(value).includes(partnerId))).toBe(true)
  return rows.length
}

it('a person is stored with the newest name and key, in whatever order two processes read the versions', async () => {
  const readers = [createPeopleReader(ctx), createPeopleReader(ctx)]
  listed(2, { keys: [{ epoch: 1, pub: 'first' }] })
  await Promise.all(readers.map((read) => read()))
  expect(await stored()).toMatchObject({ username: 'name 2', status: { keyEpoch: 1 } })
  listed(3, {
    keys: [
      { epoch: 1, pub: 'first' },
      { epoch: 2, pub: 'second' },
    ],
  })
  await readers[0]?.()
  people = people.slice(0, 1)
  await createPeopleReader(ctx)()
  expect(await stored()).toMatchObject({ username: 'name 3', status: { keyEpoch: 2 } })
  expect(await published()).toBe(0)
})

it('a person whose name is already known from a conversation is still marked as leaving, and both sides are notified once', async () => {
  listed(2, { isLeaving: true })
  await ctx.savePerson(people[0]!.person)
  const readers = [createPeopleReader(ctx), createPeopleReader(ctx)]
  for (const read of [...readers, ...readers]) await read()
  expect(await stored()).toMatchObject({ status: { isGone: true } })
  expect(await published()).toBe(1)
  listed(3, { isLeaving: false })
  await Promise.all(readers.map((read) => read()))
  expect(await stored()).toMatchObject({ status: { isGone: false } })
  expect(await published()).toBe(2)
})

it('an earlier answer does not bring back a person who is being erased', async () => {
  listed(2)
  await beginErasing(ctx, { subject: userId })
  await createPeopleReader(ctx)()
  expect(await stored()).toEqual({ status: expect.objectContaining({ isGone: true }) as object })
})

it('premium is stored and published together: what was not published is read again', async () => {
  const failing = { ...ctx.outbox, add: () => Promise.reject(new Error('died')) }
  paid(1)
  await expect(createEntitlementReader({ ...ctx, outbox: failing })()).rejects.toThrow('died')
  expect(await rowsOf('entitlements').findOne({ _id: userId })).toBeNull()
  const readers = [createEntitlementReader(ctx), createEntitlementReader(ctx)]
  for (const read of [...readers, ...readers]) await read()
  expect(await stored()).toMatchObject({ status: { premiumUntil: new Date('2051-01-01T00:00:00.000Z') } })
  expect(await published()).toBe(1)
  paid(2)
  await Promise.all(readers.map((read) => read()))
  expect(await stored()).toMatchObject({ status: { premiumUntil: new Date('2052-01-01T00:00:00.000Z') } })
  expect(await published()).toBe(2)
})

it('a process that starts later continues a minute before the last applied change, however old that is', async () => {
  listed(1)
  people[0]!.changedAt = '2026-01-31T12:00:00.000Z'
  await createPeopleReader(ctx)()
  asked = []
  await createPeopleReader(ctx)()
  expect(asked).toEqual([new Date('2026-01-31T11:59:00.000Z')])
})
