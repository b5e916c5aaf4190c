import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import type { Stack } from '@sumlock/dev/product/services'
import { startTestStack } from '@sumlock/testing/engines'
import { befriend, makePeople, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { storedMessages } from '@sumlock/testing/stored-messages'

const users = 500
const parallelSends = 20
/** Used instead of a status: the connection broke, or could not be opened in time. */
const connectionBroke = 0
const brokenBy = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT']
/** All sends of a person run at once, for as many people as the machine can answer within two seconds. */
const peopleAtOnce = 400 / parallelSends
const limitMs = 600_000

let stack: Stack
beforeAll(async () => {
  stack = await startTestStack({ replicas: { messaging: 2 } })
})
afterAll(() => stack?.stop())

interface Sender {
  person: Person
  conversationId: string
}

const secondsSince = (startedAt: number) => ((performance.now() - startedAt) / 1000).toFixed(1)

/** Free people in a ring: each opened the conversation with the next, and is ready to send in it. */
async function freeSenders(): Promise<Sender[]> {
  const people = await makePeople(users, () => unlockedPerson(stack))
  const senders: Sender[] = []
  for (const [index, person] of people.entries()) {
    const { id: conversationId } = await befriend(person, people[(index + 1) % users] as Person)
    person.client.keptToken = await person.client.csrfToken()
    senders.push({ person, conversationId })
  }
  return senders
}

async function eachStoresOne(): Promise<void> {
  const startedAt = performance.now()
  const senders = await freeSenders()
  process.stdout.write(`  ${users} people are ready after ${secondsSince(startedAt)} s\n`)
  const statuses = new Map<number, number>()
  const decisions = new Map<string, Set<number>>()
  const send = async ({ person, conversationId }: Sender, number: number) => {
    const body = { conversationId, content: `no. ${number}`, clientMessageId: randomUUID() }
    // Retry undecided sends under the same id, as a client does.
    for (let pauseMs = 250; ; pauseMs = Math.min(2 * pauseMs, 4000)) {
      const status = await person.client.call(sendMessage, { body }).then(
        (answer) => answer.status,
        (error: Error & { cause?: { code?: string } }) => {
          if (!brokenBy.includes(error.cause?.code ?? '')) throw error
          return connectionBroke
        },
      )
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (![503, 429, connectionBroke].includes(status)) {
        decisions.set(conversationId, (decisions.get(conversationId) ?? new Set()).add(status))
        return
      }
      await wait(pauseMs * (0.5 + Math.random()))
    }
  }
  const sendingAt = performance.now()
  const queue = [...senders]
  const sendForOneAfterAnother = async () => {
    for (let sender = queue.pop(); sender; sender = queue.pop()) {
      const one = sender
      await Promise.all(Array.from({ length: parallelSends }, (_, number) => send(one, number)))
    }
  }
  await Promise.all(Array.from({ length: peopleAtOnce }, sendForOneAfterAnother))
  const tookSeconds = secondsSince(sendingAt)
  process.stdout.write(
    `  ${users} x ${parallelSends} in ${tookSeconds} s: ${JSON.stringify([...statuses])}\n`,
  )
  // No connection may have been lost for another reason.
  expect(stack.services.filter(({ running }) => !running).map(({ name }) => name)).toEqual([])
  const stored = await storedMessages(stack)
  const spent = new Set(stored.map(({ conversationId }) => conversationId))
  expect([...decisions].filter(([id]) => !spent.has(id))).toEqual([])
  // There is one for each day, because the run may pass midnight (UTC).
  const ofDay = stored.map(({ senderId, createdAt }) => `${senderId} ${createdAt.toISOString().slice(0, 10)}`)
  expect(ofDay.filter((one, index) => ofDay.indexOf(one) !== index)).toEqual([])
  expect(new Set(stored.map(({ senderId }) => senderId)).size).toBe(users)
  // 200 means that it was stored the first time, but its answer came too late.
  const known = [200, 201, 402, 429, 503, connectionBroke]
  expect([...statuses.keys()].filter((status) => !known.includes(status))).toEqual([])
}

it(
  `of ${parallelSends} sends at once by each of ${users} free people over two replicas, each stores exactly one`,
  eachStoresOne,
  limitMs,
)
