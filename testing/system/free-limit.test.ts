import { listConversations, sendMessage } from '@sumlock/contracts/messaging-routes'
import { withDatabase } from '../kit/database.ts'
import { sharedStack } from '../kit/shared-stack.ts'
import type { RunningStack } from '../kit/shared-stack.ts'
import { adminPerson, befriend, makePremium, unlockedPerson } from '../kit/people.ts'
import type { Person } from '../kit/people.ts'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

async function pair(): Promise<[Person, Person, string]> {
  const [ann, bob] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  return [ann, bob, (await befriend(ann, bob)).id]
}
const send = ({ client }: Person, conversationId: string, content = 'hello') =>
  client.call(sendMessage, { body: { conversationId, content } })
const row = async ({ client }: Person) => (await client.ok(listConversations))[0]
const storedIn = (conversationId: string) =>
  withDatabase(stack, 'messaging', (database) =>
    database.collection('messages').countDocuments({ conversationId }),
  )

it('PROD-09 VAL-26 LIM-17: stops the second message of a free person until the next UTC day, and leaves the other side its own', async () => {
  const [ann, bob, conversationId] = await pair()
  expect(await row(ann)).toMatchObject({ canSend: true, unlimited: false, messagesRemaining: 1 })
  expect((await send(ann, conversationId)).status).toBe(201)
  const refused = await send(ann, conversationId)
  const { createdAt } = (await send(bob, conversationId)).body
  const midnight = new Date(Date.parse(`${createdAt.slice(0, 10)}T00:00:00Z`) + 86_400_000)
  expect([refused.status, refused.body]).toEqual([
    402,
    expect.objectContaining({ code: 'daily_limit_reached', resetsAt: midnight.toISOString() }),
  ])
  expect(await row(ann)).toMatchObject({ canSend: false, unlimited: false, messagesRemaining: 0 })
  expect(await storedIn(conversationId)).toBe(2)
})

it('PROD-12 VAL-26: lets both write without limit as soon as one side has premium, also after a refusal', async () => {
  const [ann, bob, conversationId] = await pair()
  await send(ann, conversationId)
  expect((await send(ann, conversationId)).status).toBe(402)
  await makePremium(await adminPerson(stack), bob)
  for (const person of [ann, bob, ann, bob, ann])
    expect((await send(person, conversationId)).status).toBe(201)
  for (const person of [ann, bob]) expect(await row(person)).toMatchObject({ canSend: true, unlimited: true })
})

it('LIM-17: stores exactly one of a hundred first messages sent at once over two instances', async () => {
  const [ann, , conversationId] = await pair()
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => (await send(ann, conversationId, `try ${index}`)).status),
  )
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(statuses.filter((status) => status === 402)).toHaveLength(99)
  expect(await storedIn(conversationId)).toBe(1)
})
