import { randomUUID } from 'node:crypto'
import { listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import type { Message } from '@sumlock/contracts/messaging-routes'
import type { Answer } from '@sumlock/deployment/api-client'
import { withDatabase } from '@sumlock/testing/database'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { adminPerson, befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'

let stack: RunningStack
let admin: Person

beforeAll(async () => {
  stack = await sharedStack()
  admin = await adminPerson(stack)
})

async function person(): Promise<Person> {
  const someone = await unlockedPerson(stack)
  someone.client.keptToken = await someone.client.csrfToken()
  return someone
}

const send = (
  { client }: Person,
  conversationId: string,
  content: string,
  clientMessageId: string = randomUUID(),
): Promise<Answer<Message>> =>
  client.call(sendMessage, { body: { conversationId, content, clientMessageId } })

/** Repeats a send without an answer in time under the same id, as a client's outbox does. */
async function sendUntilStored(sender: Person, conversationId: string, content: string) {
  const clientMessageId = randomUUID()
  for (let tries = 0; tries < 10; tries += 1) {
    const answer = await send(sender, conversationId, content, clientMessageId)
    if (answer.status !== 503) return answer
  }
  throw new Error(`"${content}" was never stored`)
}

const many = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

const stored = (conversationId: string) =>
  withDatabase(stack, 'messaging', (database) =>
    database.collection('messages').find({ conversationId }).sort({ _id: 1 }).toArray(),
  )

const statusesOf = (answers: readonly Answer<unknown>[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, list]) => [status, list.length]),
  )

describe('concurrent sends over two replicas', () => {
  it('PROD-09: store exactly one of 50 by a free person to a free person, and refuse the rest until midnight', async () => {
    const [sender, other] = [await person(), await person()]
    const { id } = await befriend(sender, other)
    const answers = await many(50, (index) => send(sender, id, `no. ${index}`))
    expect(statusesOf(answers)).toEqual({ 201: 1, 402: 49 })
    expect(await stored(id)).toHaveLength(1)
    const refusal = answers.find(({ status }) => status === 402)?.body as unknown as {
      code: string
      resetsAt: string
    }
    expect(refusal.code).toBe('daily_limit_reached')
    const untilResetMs = new Date(refusal.resetsAt).getTime() - Date.now()
    expect(refusal.resetsAt).toMatch(/T00:00:00\.000Z$/)
    expect(untilResetMs).toBeGreaterThan(-60_000)
    expect(untilResetMs).toBeLessThanOrEqual(86_400_000)
  })

  it('count the free message per person, not per conversation', async () => {
    const sender = await person()
    const ids = await many(5, async () => (await befriend(sender, await person())).id)
    const answers = await many(20, (index) => send(sender, ids[index % ids.length] as string, 'x'))
    expect(statusesOf(answers)).toEqual({ 201: 1, 402: 19 })
  })

  it('leave each side its own free message', async () => {
    const [left, right] = [await person(), await person()]
    const { id } = await befriend(left, right)
    const answers = await many(20, (index) => send(index % 2 === 0 ? left : right, id, 'x'))
    expect(statusesOf(answers)).toEqual({ 201: 2, 402: 18 })
    const records = await stored(id)
    expect(records.map(({ seq }) => seq as number)).toEqual([1, 2])
    expect(new Set(records.map(({ senderId }) => senderId as string)).size).toBe(2)
  })

  it('store one message sent 20 times under one clientMessageId, and all get the same answer', async () => {
    const [sender, other] = [await person(), await person()]
    // Both have premium, so that only the clientMessageId prevents a second message.
    await makePremium(admin, sender)
    const { id } = await befriend(sender, other)
    const clientMessageId = randomUUID()
    const answers = await many(20, () => send(sender, id, 'once', clientMessageId))
    expect(statusesOf(answers)).toEqual({ 200: 19, 201: 1 })
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await stored(id)).toHaveLength(1)

    const reused = await send(sender, id, 'something else', clientMessageId)
    expect(reused.status).toBe(409)
    expect((reused.body as unknown as { code: string }).code).toBe('client_message_id_reused')
  })

  it('PROD-10: number 200 messages of each side without a gap, each stored once despite retries', async () => {
    const [left, right] = [await person(), await person()]
    await makePremium(admin, left)
    const { id } = await befriend(left, right)
    const answers = await many(400, (index) =>
      sendUntilStored(index % 2 === 0 ? left : right, id, `no. ${index}`),
    )
    const records = await stored(id)
    expect(records.map(({ seq }) => seq as number)).toEqual(Array.from({ length: 400 }, (_, i) => i + 1))
    expect(records.map(({ messageId }) => messageId as string).sort()).toEqual(
      answers.map(({ body }) => body.id).sort(),
    )
    const history = await right.client.ok(listMessages, { params: { id }, query: { after: 0, limit: 200 } })
    expect(history.map(({ seq }) => seq)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1))
  })
})
