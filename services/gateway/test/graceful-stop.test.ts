import { randomInt } from 'node:crypto'
import { getUser, requestPhoneCode } from '@sumlock/contracts/auth-routes'
import { listConversations, listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import type { Stack } from '@sumlock/stack/services'
import { nameOfSize, sized } from '@sumlock/testing/config'
import { startTestStack } from '@sumlock/testing/engines'
import { mailsFor } from '@sumlock/testing/inbox'
import { adminPerson } from '@sumlock/testing/people'
import { seatPair } from '@sumlock/testing/seats'
import type { Seat } from '@sumlock/testing/seats'
import { expectedScreen, gapsIn, screenOf, storedMessages } from '@sumlock/testing/stored-messages'
import { eventually } from '@sumlock/testing/wait'

const behind = ['auth', 'messaging', 'billing', 'notify', 'realtime'] as const
const perSecond = sized({ small: 30, full: 100 })
const pairs = sized({ small: 8, full: 20 })
const replicasInTurn = sized({ small: [0], full: [0, 1] }).flatMap((index) =>
  behind.map((name) => [name, index] as const),
)

let stack: Stack
let seats: Seat[]

beforeAll(async () => {
  const replicas = Object.fromEntries(behind.map((name) => [name, 2]))
  stack = await startTestStack({ replicas })
  const admin = await adminPerson(stack)
  seats = (await Promise.all(Array.from({ length: pairs }, () => seatPair(stack, admin)))).flat()
  for (const { person } of seats) person.client.keptToken = await person.client.csrfToken()
}, 120_000)
afterAll(async () => {
  for (const { device } of seats ?? []) device.close()
  await stack?.stop()
})

/** Requests at a steady rate, whatever becomes of those before. */
function startLoad() {
  let phase = 'before'
  const sent: string[] = []
  const phones: string[] = []
  const failures: string[] = []
  const underWay = new Set<Promise<void>>()
  let count = 0

  const kinds = {
    send: ({ person, conversationId }: Seat) => {
      const content = `no. ${(count += 1)}`
      sent.push(content)
      return person.client.call(sendMessage, { body: { conversationId, content } })
    },
    history: ({ person, conversationId }: Seat) =>
      person.client.call(listMessages, { params: { id: conversationId }, query: {} }),
    list: ({ person }: Seat) => person.client.call(listConversations),
    user: ({ person }: Seat) => person.client.call(getUser),
    code: ({ person }: Seat) => {
      const phone = `+1555${String(randomInt(10_000_000)).padStart(7, '0')}`
      phones.push(phone)
      return person.client.call(requestPhoneCode, { body: { phone } })
    },
  }
  const order = [
    'send',
    'history',
    'user',
    'send',
    'list',
    'user',
    'send',
    'history',
    'send',
    'code',
  ] as const

  const ask = async (kind: keyof typeof kinds, seat: Seat) => {
    const startedAt = performance.now()
    const outcome = await kinds[kind](seat).then(
      ({ status, body }) => (status < 300 ? undefined : `${status} ${JSON.stringify(body)}`),
      (error: unknown) => String(error),
    )
    const tookMs = Math.round(performance.now() - startedAt)
    if (outcome) failures.push(`${phase}, ${kind}, after ${tookMs} ms: ${outcome}`)
  }
  let turn = 0
  const startedAt = performance.now()
  const timer = setInterval(() => {
    for (const due = ((performance.now() - startedAt) / 1000) * perSecond; turn < due; turn += 1) {
      const kind = order[turn % order.length] as (typeof order)[number]
      const one = ask(kind, seats[turn % seats.length] as Seat)
      underWay.add(one)
      void one.finally(() => underWay.delete(one))
    }
  }, 5)
  return {
    /** Failures are told with what was going on. */
    during: (now: string) => void (phase = now),
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
      return { requests: turn, sent, phones, failures }
    },
  }
}

it(`refuses nobody and loses nothing while replicas stop and come back at ${perSecond} requests/s (${nameOfSize})`, async () => {
  const load = startLoad()
  for (const [name, index] of replicasInTurn) {
    const replica = stack.service(name, index)
    load.during(`${name}-${index + 1} stopping`)
    const startedAt = performance.now()
    await replica.stop()
    // Well before the patience of whoever stops it ends: it stopped by itself.
    expect(performance.now() - startedAt).toBeLessThan(12_000)
    load.during(`${name}-${index + 1} starting`)
    await replica.start()
  }
  const { requests, sent, phones, failures } = await load.stop()
  process.stderr.write(`  ${requests} requests, ${sent.length} of them messages\n`)
  expect(failures).toEqual([])

  const stored = await eventually(
    async () => {
      const now = await storedMessages(stack)
      expect(now.filter(({ unpublished }) => unpublished)).toEqual([])
      return now
    },
    { timeoutMs: 20_000 },
  )
  expect(gapsIn(stored)).toEqual([])
  expect(stored.map(({ content }) => content).sort()).toEqual([...sent].sort())
  for (const seat of seats) {
    await eventually(() => expect(screenOf(seat)).toEqual(expectedScreen(stored, seat)), {
      timeoutMs: 20_000,
    })
  }
  for (const phone of phones) {
    const mails = () => mailsFor(stack.addresses.inboxUrl, `${phone}@sms.local`)
    await eventually(async () => expect(await mails()).toHaveLength(1), { timeoutMs: 20_000 })
  }
}, 300_000)
