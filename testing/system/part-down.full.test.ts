import { randomUUID } from 'node:crypto'
import { getUser, login, requestPhoneCode } from '@sumlock/contracts/auth-routes'
import { grantPremium } from '@sumlock/contracts/billing-routes'
import { listConversations, listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import type { ServiceName } from '@sumlock/deployment/service-environment'
import { Client } from '@sumlock/deployment/api-client'
import { nameOfSize, sized } from '../kit/config.ts'
import { publishedCounts } from '../kit/events.ts'
import { bounds } from '../kit/bounds.ts'
import { startFaultStack } from '../kit/faults/fault-stack.ts'
import type { FaultStack } from '../kit/faults/fault-stack.ts'
import { mailsFor } from '../kit/inbox.ts'
import { adminPerson, befriend, registerPerson, retryUnavailable, unlockedPerson } from '../kit/people.ts'
import { seatPair } from '../kit/seats.ts'
import type { Seat } from '../kit/seats.ts'
import { nextEvent, nextState } from '../kit/socket.ts'
import { allPublished, expectedScreen, gapsIn, screenOf, storedMessages } from '../kit/stored-messages.ts'
import { eventually } from '../kit/wait.ts'

let stack: FaultStack
let ada: Seat
let ben: Seat
let lastContent = 0

beforeAll(async () => {
  stack = await startFaultStack({ logName: 'part-down' })
  ;[ada, ben] = await seatPair(stack, await adminPerson(stack))
  ada.person.client.keptToken = await ada.person.client.csrfToken()
})
afterAll(async () => {
  for (const seat of [ada, ben]) seat?.device.close()
  await stack?.stop()
})

const newMessage = () => ({ clientMessageId: randomUUID(), content: `no. ${(lastContent += 1)}` })

/** The answer to one send, and how long it took (ms). */
async function send({ clientMessageId, content } = newMessage()) {
  const body = { conversationId: ada.conversationId, content, clientMessageId }
  const startedAt = performance.now()
  const { status } = await ada.person.client.call(sendMessage, { body })
  return { status, content, tookMs: performance.now() - startedAt }
}

/** Repeats a call once after a 503, because a busy machine may hold a service up for longer than its time limits. */
async function patiently<T extends { status: number }>(call: () => Promise<T>): Promise<T> {
  const first = await call()
  return first.status === 503 ? call() : first
}

async function sendPatiently() {
  const message = newMessage()
  return patiently(() => send(message))
}

const showsOn = (seat: Seat, content: string) =>
  eventually(
    () => expect(seat.view.getState().messages.map((message) => message.content)).toContain(content),
    {
      timeoutMs: 5000,
    },
  )

/** Each send is answered within two seconds, stored, and seen on the other side within five seconds. */
async function sendsGoThrough(): Promise<void> {
  for (let count = 0; count < 2; count += 1) {
    const { status, content, tookMs } = await sendPatiently()
    expect(status).toBe(201)
    expect(tookMs).toBeLessThan(bounds.answerMs)
    await showsOn(ben, content)
  }
}

/** Waits until both screens match the database, all events are published, and both sockets are connected. */
async function expectRecovery(): Promise<void> {
  await eventually(
    async () => {
      const { status, content } = await send()
      expect(status).toBe(201)
      await showsOn(ben, content)
    },
    { timeoutMs: 45_000, everyMs: 250 },
  )
  for (const seat of [ada, ben]) {
    await nextState(seat.device.live, ({ connected, degraded }) => connected && !degraded, 45_000)
  }
  const stored = await allPublished(stack, { timeoutMs: 45_000 })
  expect(gapsIn(stored)).toEqual([])
  for (const seat of [ada, ben]) {
    await eventually(() => expect(screenOf(seat)).toEqual(expectedScreen(stored, seat)))
  }
}

const storedIds = async () => new Set((await storedMessages(stack)).map(({ messageId }) => messageId))

const answers = async (call: () => Promise<{ status: number }>) => {
  const startedAt = performance.now()
  const { status } = await call()
  expect(performance.now() - startedAt).toBeLessThan(bounds.answerMs)
  return status
}
const history = () =>
  answers(() => ada.person.client.call(listMessages, { params: { id: ada.conversationId }, query: {} }))
const signIn = () => {
  const { username, password } = ben.person
  // The sign-in uses a new device, because a lost answer would end the session of the present one.
  const elsewhere = new Client({ gatewayUrl: stack.gatewayUrl })
  return answers(() => elsewhere.call(login, { body: { username, password } }))
}

type Break = 'SIGKILL' | 'SIGSTOP'
const isBroken = {
  SIGKILL: 'is killed',
  SIGSTOP: 'hangs',
} as const satisfies Record<Break, string>

const part = (name: 'mongo' | 'kafka' | 'redis' | ServiceName) =>
  name === 'mongo' || name === 'kafka' || name === 'redis' ? stack.engines.engine(name) : stack.service(name)

async function without(
  name: Parameters<typeof part>[0],
  how: Break,
  then: () => Promise<void>,
  afterwards: () => Promise<void> = expectRecovery,
): Promise<void> {
  await part(name).kill(how)
  try {
    await then()
  } finally {
    if (how === 'SIGSTOP') await part(name).kill('SIGCONT')
    else await part(name).start()
  }
  await afterwards()
}

const ways = sized<readonly Break[]>({ small: ['SIGKILL'], full: ['SIGKILL', 'SIGSTOP'] })

describe.each(ways)(`after %s of one part, the product (${nameOfSize})`, (how) => {
  /** Kafka needs 15 seconds after a kill: in the small size, it is killed in one test only. */
  const quick = sized<Break>({ small: 'SIGSTOP', full: how })

  it(`stores messages and delivers them over the socket while Redis ${isBroken[how]}`, async () => {
    await without('redis', how, async () => {
      const content = 'by Kafka'
      const coming = nextEvent(
        ben.device.live,
        (event) => event.type === 'new_message' && event.data.content === content,
        5000,
      )
      ada.view.send({ messageType: 'text', content })
      await coming
      await sendsGoThrough()
    })
  }, 120_000)

  it(`stores and shows messages while Redis ${isBroken[quick]} and Kafka too, because clients poll`, async () => {
    await without('redis', quick, () => without('kafka', quick, sendsGoThrough, () => Promise.resolve()))
  }, 120_000)

  it(`never refuses a payer while Kafka ${isBroken[quick]}, because messaging asks billing first`, async () => {
    const admin = await adminPerson(stack)
    const [payer, friend] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    const { id } = await befriend(payer, friend)
    await without('kafka', quick, async () => {
      const one = (content: string) => {
        const body = { conversationId: id, content, clientMessageId: randomUUID() }
        return patiently(() => payer.client.call(sendMessage, { body }))
      }
      expect((await one('the free one')).status).toBe(201)
      await retryUnavailable(() =>
        admin.client.ok(grantPremium, { body: { userId: payer.user.id, days: 365 } }),
      )
      expect((await one('paid for')).status).toBe(201)
    })
  }, 120_000)

  it.each(['billing', 'notify'] as const)(
    `stores and shows messages while %s ${isBroken[how]}`,
    (name) => without(name, how, sendsGoThrough),
    120_000,
  )

  it(`stores and shows messages while realtime ${isBroken[how]}`, async () => {
    await without('realtime', how, async () => {
      // A hanging process keeps its sockets open: clients notice the missing heartbeat.
      if (how === 'SIGSTOP') await nextState(ben.device.live, ({ connected }) => !connected, 20_000)
      await sendsGoThrough()
    })
  }, 120_000)

  it(`stores and shows messages while Kafka ${isBroken[how]}; publishes the missed events afterwards and sends codes by SMS`, async () => {
    const phone = `+1555${String(Date.now()).slice(-7)}`
    const before = await storedIds()
    await without('kafka', how, async () => {
      await sendsGoThrough()
      expect(await answers(() => ben.person.client.call(requestPhoneCode, { body: { phone } }))).toBe(200)
    })
    await eventually(
      async () => expect(await mailsFor(stack.addresses.inboxUrl, `${phone}@sms.local`)).toHaveLength(1),
      { timeoutMs: 30_000 },
    )
    const published = await publishedCounts(stack)
    const missed = (await storedMessages(stack)).filter(({ messageId }) => !before.has(messageId))
    expect(missed.length).toBeGreaterThanOrEqual(2)
    expect(missed.filter(({ messageId }) => !published.has(messageId))).toEqual([])
  }, 120_000)

  it(`answers 503 in time while MongoDB ${isBroken[how]}, and stores a message that is sent again once`, async () => {
    const clientMessageIds = [randomUUID(), randomUUID()]
    const kept = `kept while the database ${isBroken[how]}`
    const before = await storedIds()
    // It was acknowledged a moment before, so it has to be there afterwards.
    const last = await sendPatiently()
    expect(last.status).toBe(201)
    await without('mongo', how, async () => {
      for (const id of clientMessageIds)
        expect(await answers(() => send({ ...newMessage(), clientMessageId: id }))).toBe(503)
      expect(await history()).toBe(503)
      expect(await signIn()).toBe(503)
      // The client's own outbox waits and sends it again.
      ben.view.send({ messageType: 'text', content: kept })
    })
    await showsOn(ada, kept)
    const since = (await storedMessages(stack)).filter(({ messageId }) => !before.has(messageId))
    expect(since.filter(({ content }) => content === kept)).toHaveLength(1)
    expect(since.map(({ content }) => content)).toContain(last.content)
    for (const id of clientMessageIds) {
      expect(since.filter(({ clientMessageId }) => clientMessageId === id).length).toBeLessThanOrEqual(1)
    }
  }, 120_000)

  it(`accepts a cached session for a moment while auth ${isBroken[how]}, and refuses it within five seconds`, async () => {
    let isTooLate = true
    for (let left = 3; isTooLate && left > 0; left -= 1) {
      // The gateway caches the session now, and uses it until auth has not answered for four seconds; it asks every two.
      expect((await sendPatiently()).status).toBe(201)
      const endedAt = performance.now()
      await without('auth', how, async () => {
        const { status } = await send()
        isTooLate = status === 503 && performance.now() - endedAt > 1500
        if (isTooLate) return
        expect(status).toBe(201)
        expect(await signIn()).toBe(503)
        await eventually(async () => expect(await answers(() => send())).toBe(503), { timeoutMs: 6000 })
        expect(await history()).toBe(503)
      })
    }
    expect(isTooLate).toBe(false)
  }, 120_000)

  it(`answers 503 in time while messaging ${isBroken[how]}, and still answers GET /api/user`, async () => {
    const locked = await registerPerson(stack)
    await without('messaging', how, async () => {
      expect(await answers(() => send())).toBe(503)
      expect(await history()).toBe(503)
      expect(await answers(() => ada.person.client.call(getUser))).toBe(200)
      // The gateway decides this by itself.
      expect(await answers(() => locked.client.call(listConversations))).toBe(423)
      ben.view.send({ messageType: 'text', content: `kept while messaging ${isBroken[how]}` })
    })
    await showsOn(ada, `kept while messaging ${isBroken[how]}`)
  }, 120_000)

  it(`sends a message written while the gateway ${isBroken[how]} afterwards, once`, async () => {
    const content = `kept while the gateway ${isBroken[how]}`
    await without('gateway', how, async () => {
      ben.view.send({ messageType: 'text', content })
      await nextState(ben.device.live, ({ connected }) => !connected, 45_000)
    })
    await showsOn(ada, content)
    const stored = await storedMessages(stack)
    expect(stored.filter((message) => message.content === content)).toHaveLength(1)
  }, 120_000)
})
