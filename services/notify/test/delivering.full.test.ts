import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Notice } from '@sumlock/contracts/auth-events'
import { sealNotice } from '@sumlock/service-kit/seal-notice'
import { startTwilioServer } from '@sumlock/testing/twilio-server'
import type { TwilioServer } from '@sumlock/testing/twilio-server'
import { eventually } from '@sumlock/testing/wait'
import type { Connection } from 'mongoose'
import type { Config } from '../src/config.ts'
import { claimMs, parallelSends } from '../src/domain/delivery.ts'
import type { Delivery } from '../src/domain/delivery.ts'
import { createMailSender } from '../src/infrastructure/mail-sender.ts'
import type { SendMail } from '../src/infrastructure/mail-sender.ts'
import { createSmsSender } from '../src/infrastructure/sms-sender.ts'
import type { SendSms } from '../src/infrastructure/sms-sender.ts'
import { createDeliveryStore } from '../src/stores/delivery-store.ts'
import { createPreferenceStore } from '../src/stores/preference-store.ts'
import { createDelivering } from '../src/use-cases/deliver-due.ts'
import { startMailServer } from './mail-server.ts'
import type { MailServer } from './mail-server.ts'
import { openNotifyDatabase, silentLogger } from './notify-database.ts'

const key = randomBytes(32)
const from = 'Calculator <no-reply@calculator.local>'
const second = 1000
const hour = 3600 * second

let nowMs = 0
const clock = { now: () => new Date(nowMs), nowMs: () => nowMs }
let connection: Connection
let close: () => Promise<void>
let deliveries: ReturnType<typeof createDeliveryStore>
let mail: MailServer
let twilio: TwilioServer
let preferences: ReturnType<typeof createPreferenceStore>

beforeAll(async () => {
  ;({ connection, close } = await openNotifyDatabase(clock))
  deliveries = createDeliveryStore(connection)
  preferences = createPreferenceStore(connection)
})
afterAll(() => close?.())
beforeEach(async () => {
  nowMs = Date.parse('2026-11-20T12:00:00.000Z')
  mail = await startMailServer()
  twilio = await startTwilioServer()
})
afterEach(async () => {
  await mail?.close()
  await twilio?.close()
  await rows().deleteMany({})
})

const rows = () => connection.collection<Delivery>('deliveries')
const statesNow = async () => [...new Set((await rows().find().toArray()).map(({ state }) => state))]

/** Queues a notice that is valid for a day. */
async function queue(id: string, notice: Notice): Promise<void> {
  const sealed = sealNotice(notice, id, { id: 'k', secret: key })
  const fresh = { state: 'queued', attempts: 0, lastError: null } as const
  const dates = { dueAt: clock.now(), createdAt: clock.now(), expiresAt: new Date(nowMs + 24 * hour) }
  await deliveries.add({ _id: id, channel: notice.channel, sealed, ...fresh, ...dates })
}
const newIds = (count: number) => Array.from({ length: count }, () => randomUUID())

/** Queues mails to different addresses; resolves with their Message-IDs. */
async function queueMails(count: number): Promise<string[]> {
  const ids = newIds(count)
  const mailOf = (id: string) =>
    ({ channel: 'mail', template: 'password-changed', to: `${id}@example.com`, fullName: 'Ada' }) as const
  for (const id of ids) await queue(id, mailOf(id))
  return ids.map((id) => `<${id}@calculator.local>`)
}

/** Queues SMS to different numbers; resolves with the numbers. */
async function queueSms(count: number): Promise<string[]> {
  const numbers = newIds(count).map((_, index) => `+1555010${String(index).padStart(4, '0')}`)
  for (const to of numbers)
    await queue(randomUUID(), { channel: 'sms', template: 'phone-code', to, code: '123456' })
  return numbers
}

interface ReplicaOptions {
  sendMail?: SendMail
  sendSms?: SendSms
  timeoutMs?: number
  onFree?: () => void
}

const smsSender = (url = twilio.settings.TWILIO_URL) =>
  createSmsSender({ SMS_VIA: 'twilio', ...twilio.settings, TWILIO_URL: url } as Config, () =>
    Promise.reject(new Error('no mail is sent')),
  )

/** One process of notify, without its timer. */
function startReplica({
  sendMail = createMailSender({ url: mail.url, from, requireTLS: false }),
  sendSms = smsSender(),
  timeoutMs = 10 * second,
  onFree = () => undefined,
}: ReplicaOptions = {}) {
  const health = { checks: {}, draining: false }
  const config = { NOTICE_KEYS: { k: key } } as never
  const ctx = { clock, config, deliveries, preferences, health, logger: silentLogger, sendMail, sendSms }
  return { health, ...createDelivering(ctx, { timeoutMs, onFree }) }
}

/** Starts everything that is due at all replicas and waits for the outcomes. */
async function runAll(replicas: ReturnType<typeof startReplica>[]): Promise<void> {
  await Promise.all(replicas.map(({ begin }) => begin()))
  await Promise.all(replicas.map(({ settled }) => settled()))
}
const acceptedIds = () => mail.accepted.map(({ messageId }) => messageId).sort()

it('loses nothing and sends nothing twice when the mail server and the SMS provider are down for an hour', async () => {
  const messageIds = await queueMails(8)
  const numbers = await queueSms(8)
  const closedPort = createServer().listen(0, '127.0.0.1')
  await once(closedPort, 'listening')
  const { port } = closedPort.address() as AddressInfo
  closedPort.close()
  const backAt = nowMs + hour
  const isDown = () => nowMs < backAt
  const sendMail: SendMail = (...letter) =>
    createMailSender({ url: isDown() ? `smtp://127.0.0.1:${port}` : mail.url, from, requireTLS: false })(
      ...letter,
    )
  const sendSms: SendSms = (...sms) => smsSender(isDown() ? `http://127.0.0.1:${port}` : undefined)(...sms)
  const replicas = [1, 2].map(() => startReplica({ sendMail, sendSms }))
  for (; isDown(); nowMs += 20 * second) await runAll(replicas)
  expect([...mail.accepted, ...twilio.accepted]).toEqual([])
  expect(await statesNow()).toEqual(['queued'])
  // The alert reads this value, although no delivery is overdue for its next attempt.
  expect(await deliveries.backlog(100)).toEqual({ size: 16, oldest: new Date(backAt - hour) })
  // This is the longest delay between two attempts.
  for (const until = backAt + 60 * second; nowMs <= until; nowMs += 20 * second) await runAll(replicas)
  expect(acceptedIds()).toEqual(messageIds.sort())
  expect(twilio.accepted.map(({ to }) => to).sort()).toEqual(numbers.sort())
  expect(await rows().countDocuments({ state: 'sent', sealed: null })).toBe(16)
})

it('sends an SMS once although the answer to its first attempt was lost', async () => {
  const [number = ''] = await queueSms(1)
  twilio.script(number, 'lose the answer')
  const replica = startReplica()
  await runAll([replica])
  expect(await rows().findOne()).toMatchObject({ state: 'queued', lastError: 'UND_ERR_SOCKET' })
  nowMs += second
  await runAll([replica])
  expect(await statesNow()).toEqual(['sent'])
  expect(twilio.accepted).toHaveLength(1)
})

it('sends at most 20 mails at once in each of two processes, and none twice although the server takes the whole time limit for each', async () => {
  const messageIds = await queueMails(2 * parallelSends + 5)
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  mail.beforeAnswer = () => answered
  const replicas = [startReplica(), startReplica()]
  await Promise.all(replicas.map(({ begin }) => begin()))
  await eventually(() => expect(mail.openNow).toBe(2 * parallelSends))
  // The third process would take over a claim that ended before its attempt.
  nowMs += 10 * second
  const third = startReplica()
  await Promise.all([...replicas, third].map(({ begin }) => begin()))
  expect(await rows().countDocuments({ attempts: 1, state: 'sending' })).toBe(2 * parallelSends + 5)
  await eventually(() => expect(mail.openNow).toBe(2 * parallelSends + 5))
  answer()
  await Promise.all([...replicas, third].map(({ settled }) => settled()))
  expect(acceptedIds()).toEqual(messageIds.sort())
  expect(await statesNow()).toEqual(['sent'])
})

it('an SMS is sent at once while the mail server takes no mail and many wait, and a mail while the provider of SMS hangs', async () => {
  await queueMails(2 * parallelSends)
  mail.beforeAnswer = () => new Promise(() => undefined)
  const replica = startReplica({ timeoutMs: 2000 })
  await replica.begin()
  await eventually(() => expect(mail.openNow).toBe(parallelSends))
  const numbers = await queueSms(1)
  await replica.begin()
  await eventually(() => expect(twilio.accepted.map(({ to }) => to)).toEqual(numbers))
  expect(mail.accepted).toEqual([])
  await replica.settled()

  await rows().deleteMany({})
  mail.beforeAnswer = () => Promise.resolve()
  await queueSms(2 * parallelSends)
  const other = startReplica({ timeoutMs: 2000, sendSms: () => new Promise(() => undefined) })
  await other.begin()
  const messageIds = await queueMails(1)
  await other.begin()
  await eventually(() => expect(acceptedIds()).toEqual(messageIds))
})

it('closes the connection of an attempt that got no answer in time, before the next attempt begins', async () => {
  const [messageId] = await queueMails(1)
  mail.beforeAnswer = () => new Promise(() => undefined)
  const replica = startReplica({ timeoutMs: 200 })
  await runAll([replica])
  expect(await rows().findOne()).toMatchObject({ state: 'queued', attempts: 1, lastError: 'ETIMEDOUT' })
  await eventually(() => expect(mail.openNow).toBe(0))
  mail.beforeAnswer = () => Promise.resolve()
  nowMs += second
  await runAll([startReplica()])
  expect(acceptedIds()).toEqual([messageId])
  expect(mail.mostAtOnce).toBe(1)
})

it('begins nothing new when the service stops, and finishes the attempts in flight', async () => {
  await queueMails(parallelSends + 5)
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  mail.beforeAnswer = () => answered
  const [stopping, other] = [startReplica(), startReplica()]
  await stopping.begin()
  await eventually(() => expect(mail.openNow).toBe(parallelSends))
  stopping.health.draining = true
  answer()
  await stopping.settled()
  await runAll([stopping])
  expect(mail.accepted).toHaveLength(parallelSends)
  expect(await rows().countDocuments({ state: 'queued', attempts: 0 })).toBe(5)
  await runAll([other])
  expect(new Set(acceptedIds()).size).toBe(parallelSends + 5)
  expect(mail.accepted).toHaveLength(parallelSends + 5)
})

it('repeats a mail with the same Message-ID after a crash between acceptance and record, once its claim has ended', async () => {
  const [messageId] = await queueMails(1)
  const send = createMailSender({ url: mail.url, from, requireTLS: false })
  const crashed = startReplica({
    sendMail: (...letter) => send(...letter).then(() => new Promise(() => undefined)),
  })
  await crashed.begin()
  await eventually(() => expect(mail.accepted).toHaveLength(1))
  const other = startReplica()
  nowMs += claimMs(10 * second) - 1
  await runAll([other])
  expect(mail.accepted).toHaveLength(1)
  nowMs += 1
  await runAll([other])
  expect(acceptedIds()).toEqual([messageId, messageId])
})

it('leaves a delivery alone whose claim would end before the attempt could, and does not overwrite a later outcome', async () => {
  await queueMails(1)
  const claim = await deliveries.claim('mail', clock.now(), claimMs(10 * second))
  nowMs += claimMs(10 * second)
  await runAll([startReplica()])
  expect(mail.accepted).toHaveLength(1)
  await deliveries.release(claim as Delivery, clock.now(), 'ETIMEDOUT')
  await deliveries.settle(claim as Delivery, 'failed', 'EENVELOPE 550')
  expect(await rows().findOne()).toMatchObject({ state: 'sent', attempts: 2, lastError: null })
})
