import { randomUUID } from 'node:crypto'
import { grantPremium } from '@sumlock/contracts/billing-routes'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { withDatabase } from '@sumlock/testing/database'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { adminPerson, registerPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { eventually } from '@sumlock/testing/wait'

const dayMs = 86_400_000

let stack: RunningStack
let admin: Person
beforeAll(async () => {
  stack = await sharedStack()
  admin = await adminPerson(stack)
  admin.client.keptToken = await admin.client.csrfToken()
})

const grant = (userId: string, days: number, grantId?: string) =>
  admin.client.call(grantPremium, { body: { userId, days, grantId } })
/** Repeats a grant that a busy database refuses. It is made once, because it has the same id. */
const grantRepeatedly = (userId: string, days: number, grantId: string) =>
  eventually(async () => {
    const answer = await grant(userId, days, grantId)
    expect(answer.status).not.toBe(503)
    return answer
  })
const many = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make))
const codeOf = ({ body }: { body: unknown }) => (body as { code?: string }).code

const ledgerOf = (userId: string) =>
  withDatabase(stack, 'billing', async (database) => ({
    grants: await database.collection('grants').find({ userId }).sort({ startsAt: 1 }).toArray(),
    account: await database.collection<{ _id: string }>('accounts').findOne({ _id: userId }),
  }))

it('adds up 10 concurrent grants over two replicas without gaps, and messaging receives the last state', async () => {
  const { user } = await registerPerson(stack)
  const answers = await many(10, () => grantRepeatedly(user.id, 30, randomUUID()))
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))

  const { grants, account } = await ledgerOf(user.id)
  expect(grants).toHaveLength(10)
  const times = (field: string) => grants.map((segment) => (segment[field] as Date).getTime())
  expect(times('startsAt').slice(1)).toEqual(times('endsAt').slice(0, -1))
  const end = (times('startsAt')[0] ?? 0) + 300 * dayMs
  expect(times('endsAt').at(-1)).toBe(end)
  expect(account).toMatchObject({ version: 10 })

  await waitUntil('the projection of messaging', () =>
    withDatabase(stack, 'messaging', async (database) => {
      const rows = database.collection<{ _id: string; version: number; premiumUntil: Date }>('entitlements')
      const row = await rows.findOne({ _id: user.id })
      return row?.version === 10 && row.premiumUntil.getTime() === end
    }),
  )
})

it('makes one grant of 10 concurrent requests with the same grant id, and gives all the same answer', async () => {
  const { user } = await registerPerson(stack)
  const grantId = randomUUID()
  const answers = await many(10, () => grantRepeatedly(user.id, 365, grantId))
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  const { grants, account } = await ledgerOf(user.id)
  expect(grants).toHaveLength(1)
  expect(account).toMatchObject({ version: 1 })

  const other = await registerPerson(stack)
  const reused = [await grant(other.user.id, 365, grantId), await grant(user.id, 30, grantId)]
  expect(reused.map(({ status }) => status)).toEqual([409, 409])
  expect((await ledgerOf(other.user.id)).grants).toEqual([])
})

it('refuses grants to unknown users and by callers who are not administrators', async () => {
  const unknown = await grant(randomUUID(), 30)
  expect(unknown.status).toBe(404)
  expect(codeOf(unknown)).toBe('not_found')
  const person = await registerPerson(stack)
  const own = await person.client.call(grantPremium, { body: { userId: person.user.id, days: 30 } })
  expect(own.status).toBe(403)
  expect(codeOf(own)).toBe('not_allowed')
  expect(await ledgerOf(person.user.id)).toEqual({ grants: [], account: null })
})

it('answers entitlements to known services only', async () => {
  const billing = stack.service('billing')
  const path = `/internal/entitlements/${admin.user.id}`
  const ask = async (url: string, authorization: string) =>
    (await fetch(url + path, { headers: { authorization } })).status
  const secretOf = (name: 'messaging' | 'notify') => stack.secrets.internalSecrets[name]
  expect(await ask(billing.internalUrl, `Internal messaging:${secretOf('messaging')}`)).toBe(200)
  expect(await ask(billing.internalUrl, `Internal messaging:${secretOf('notify')}`)).toBe(403)
  expect(await ask(billing.internalUrl, `Internal notify:${secretOf('notify')}`)).toBe(403)
  expect(await ask(billing.internalUrl, '')).toBe(403)
  expect(await ask(billing.publicUrl, `Internal messaging:${secretOf('messaging')}`)).toBe(404)
})

it('reads a page of changed accounts in the order of an index, without sorting', async () => {
  const plan = await withDatabase(stack, 'billing', (database) =>
    database
      .collection('accounts')
      .find({ changedAt: { $gte: new Date(1) } })
      .sort({ changedAt: 1, _id: 1 })
      .limit(200)
      .explain('queryPlanner'),
  )
  const { winningPlan } = (plan as unknown as { queryPlanner: { winningPlan: object } }).queryPlanner
  expect(JSON.stringify(winningPlan)).toContain('"indexName":"changes"')
  expect(JSON.stringify(winningPlan)).not.toContain('"SORT"')
})
