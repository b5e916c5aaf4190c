import { randomUUID } from 'node:crypto'
import { allRoutes } from '@sumlock/contracts/all-routes'
import type { RouteName } from '@sumlock/contracts/all-routes'
import type { RouteContract } from '@sumlock/contracts/route'
import type { Client } from '@sumlock/deployment/api-client'
import { databaseOwners } from '@sumlock/deployment/provision'
import { routesWithBody } from '../kit/bounded-routes.ts'
import { withDatabase } from '../kit/database.ts'
import { startTestStack } from '../kit/engines.ts'
import { exampleCall, prepareExample } from '../kit/example-calls.ts'
import { fillConversation, memberRowsOf } from '../kit/many-messages.ts'
import { upload } from '../kit/media.ts'
import { adminPerson, befriend, unlockedPerson } from '../kit/people.ts'
import type { Person } from '../kit/people.ts'
import { insertRows } from '../kit/walk-bounded-writes.ts'

/** The number of rows of each kind of which a person may have many. */
const many = 200
/** Rows that one call may write, and commands that it may send; the sweeps of this time are among them. */
const atMost = 100

let stack: Awaited<ReturnType<typeof startTestStack>>
let admin: Person
let friend: Person
beforeAll(async () => {
  stack = await startTestStack()
  admin = await adminPerson(stack)
  friend = await unlockedPerson(stack)
})
afterAll(() => stack?.stop())

/** Gives a person many rows in every service; resolves to a conversation with very many messages. */
async function fill({ user: { id: userId } }: Person, conversationId: string): Promise<void> {
  const past = new Date(Date.now() - 3_600_000)
  const later = new Date(Date.now() + 86_400_000)
  const rows: Record<string, Record<string, (index: number) => object>> = {
    auth: {
      sessions: () => ({
        userId,
        cookieHash: randomUUID(),
        revokedAt: past,
        createdAt: past,
        expiresAt: later,
      }),
      mail_links: () => ({ userId, tokenHash: randomUUID(), kind: 'reset', expiresAt: later }),
    },
    messaging: {
      members: () =>
        memberRowsOf({ id: randomUUID(), memberIds: [userId, randomUUID()] }, { at: past })[0] ?? {},
      media: () => ({
        ...{ ownerId: userId, sessionId: 's', status: 'stored', bytes: 1, maxBytes: 1, attempts: [] },
        ...{ uploadUntil: past, createdAt: past },
      }),
      reports: () => ({
        reporterId: userId,
        reportedId: 'r',
        conversationId: 'c',
        messages: [],
        createdAt: past,
      }),
    },
    billing: {
      grants: () => ({
        userId,
        source: 'admin',
        startsAt: past,
        endsAt: past,
        createdAt: past,
        removedAt: past,
      }),
      payments: () => ({
        ...{ userId, kind: 'upgrade', provider: 'sandbox', cents: 1, currency: 'usd', status: 'failed' },
        ...{ createdAt: past, checkedAt: past },
      }),
      subscription_gifts: () => ({
        buyerId: userId,
        codeHash: randomUUID(),
        status: 'expired',
        expiresAt: past,
      }),
      promo_code_redemptions: () => ({ userId, platform: 'ios', status: 'failed', createdAt: past }),
    },
  }
  for (const [owner, collections] of Object.entries(rows))
    await withDatabase(stack, owner as never, async (database) => {
      for (const [name, row] of Object.entries(collections))
        await insertRows(database, name, many, (index) => ({ _id: randomUUID(), ...row(index) }))
    })
  await withDatabase(stack, 'messaging', async (database) => {
    await database.collection<{ _id: string }>('messages').deleteMany({ conversationId })
    await fillConversation(database, { id: conversationId, memberIds: [userId, friend.user.id], count: many })
  })
}

interface Profiled {
  op: string
  ns: string
  ninserted?: number
  nModified?: number
  nUpserted?: number
  ndeleted?: number
}

/** The effects of a command as its database counted them. */
interface Done {
  command: string
  written: number
}

/** The commands of all services during a call; those of sweeps at the same time are among them. */
async function commandsDuring(call: () => Promise<unknown>): Promise<Done[]> {
  const profile = async (level: number) => {
    for (const owner of databaseOwners)
      await withDatabase(stack, owner, async ({ db }) => void (await db?.command({ profile: level })))
  }
  await profile(2)
  await call()
  await profile(0)
  const done: Done[] = []
  for (const owner of databaseOwners)
    await withDatabase(stack, owner, async (database) => {
      for (const one of await database.collection<Profiled>('system.profile').find().toArray())
        done.push({ command: `${one.op} ${owner}.${one.ns.split('.')[1]}`, written: writtenBy(one) })
      await database.dropCollection('system.profile')
    })
  return done
}

const writtenBy = ({ ninserted = 0, nModified = 0, nUpserted = 0, ndeleted = 0 }: Profiled) =>
  ninserted + nModified + nUpserted + ndeleted

async function filledPerson(): Promise<{ person: Person; conversationId: string }> {
  const person = await unlockedPerson(stack)
  const { id: conversationId } = await befriend(person, friend)
  await fill(person, conversationId)
  return { person, conversationId }
}

async function verifiedPhone(client: Client) {
  const { phone = '' } = await prepareExample('register', client)
  return { phone }
}

/** The answer to a route's example: `done` or the code of its refusal. */
async function callExample(name: RouteName, route: RouteContract, caller: Person, conversationId: string) {
  const { client } = caller
  if (name === 'putObject') return upload(client, new Uint8Array(10)).then(() => 'done')
  const { path, search, body } = exampleCall(route, {
    conversationId,
    userId: caller.user.id,
    userCode: friend.user.userCode,
    username: caller.username,
    password: caller.password,
    numericPassword: caller.pin,
    shareSecretId: stack.secrets.keyShareSecretId,
    ...(await prepareExample(name, client)),
    ...(name === 'changePhone' && (await verifiedPhone(client))),
  })
  const answer = await client.raw(route.method, path + search, {
    headers: { 'content-type': 'application/json', 'x-csrf-token': await client.csrfToken() },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  return answer.ok ? 'done' : (JSON.parse(text) as { code: string }).code
}

// The sweeps' remaining work after a reset of the app would be counted for the following routes.
const ordered = Object.entries(routesWithBody).toSorted(
  ([, left], [, right]) => Number(typeof left === 'object') - Number(typeof right === 'object'),
)

it.each(ordered)(
  'the number of rows that %s writes does not grow with the rows of its person',
  async (name, expected) => {
    const route: RouteContract = allRoutes[name as RouteName]
    const { person, conversationId } = await filledPerson()
    const caller = route.access === 'admin' ? { ...admin, user: person.user } : person
    let outcome: string | undefined
    const done = await commandsDuring(async () => {
      outcome = await callExample(name as RouteName, route, caller, conversationId)
    })
    const grows = typeof expected === 'object'
    const written = done.reduce((sum, one) => sum + one.written, 0)
    expect(outcome).toBe(grows ? 'done' : expected)
    expect(done.filter((one) => one.written > 500)).toEqual([])
    expect(grows || written <= atMost ? [] : done).toEqual([])
    if (!grows) expect(done.length).toBeLessThanOrEqual(atMost)
  },
)
