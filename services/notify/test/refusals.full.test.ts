import { setTimeout as wait } from 'node:timers/promises'
import { createBus } from '@sumlock/bus/bus'
import { kafkaAdmin } from '@sumlock/deployment/kafka-users'
import { readTopic } from '@sumlock/bus/read-topic'
import { requestPhoneCode } from '@sumlock/contracts/auth-routes'
import { Client } from '@sumlock/deployment/api-client'
import type { Stack } from '@sumlock/dev/product/services'
import { createLogger } from '@sumlock/service-kit/logger'
import { withDatabase } from '@sumlock/testing/database'
import { startTestStack } from '@sumlock/testing/engines'
import { freshPhone } from '@sumlock/testing/fresh-phone'
import { eventually } from '@sumlock/testing/wait'
import { startMailServer } from './mail-server.ts'
import type { MailAnswer, MailServer } from './mail-server.ts'

let mail: MailServer
let stack: Stack
let asked = 0
beforeAll(async () => {
  mail = await startMailServer()
  stack = await startTestStack({
    replicas: { notify: 2, messaging: 0, billing: 0, realtime: 0 },
    env: { notify: { SMTP_URL: mail.url } },
  })
})
afterAll(async () => {
  await stack?.stop()
  await mail?.close()
})

/** Requests a code for a new phone; returns the address that its SMS goes to. */
async function askForCode(...answers: MailAnswer[]): Promise<string> {
  const phone = freshPhone()
  mail.script(`${phone}@sms.local`, ...answers)
  await new Client({ gatewayUrl: stack.gatewayUrl }).ok(requestPhoneCode, { body: { phone } })
  asked += 1
  return `${phone}@sms.local`
}
const deliveries = () =>
  withDatabase(stack, 'notify', (database) => database.collection('deliveries').find().toArray())
/** Returns all deliveries once each requested notice is settled. */
const settled = () =>
  eventually(
    async () => {
      const all = await deliveries()
      expect(all).toHaveLength(asked)
      expect(all.filter(({ state }) => state === 'queued' || state === 'sending')).toEqual([])
      return all
    },
    { timeoutMs: 20_000 },
  )

it('retries a notice after a temporary refusal, and delivers each notice once', async () => {
  const [refused, cutOff, plain] = [
    await askForCode(451, 421),
    await askForCode('hang up'),
    await askForCode(),
  ]
  for (const state of (await settled()).map((delivery) => String(delivery['state'])))
    expect(state).toBe('sent')
  expect([refused, cutOff, plain].map(mail.triesOf)).toEqual([3, 2, 1])
  expect([refused, cutOff, plain].map(mail.acceptedOf)).toEqual([1, 1, 1])
}, 60_000)

it('settles a permanently refused notice at once, and stores the reason without the content', async () => {
  const address = await askForCode(550)
  await settled()
  expect(mail.triesOf(address)).toBe(1)
  const failed = (await deliveries()).filter(({ state }) => state === 'failed')
  expect(failed).toMatchObject([{ attempts: 1, lastError: 'EENVELOPE 550', sealed: null }])
  expect(JSON.stringify(failed)).not.toContain(address)
})

it('delivers a notice once when Kafka delivers its event twice', async () => {
  const address = await askForCode()
  await settled()
  const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
  const bus = createBus({
    ...kafkaAdmin(stack.addresses),
    clientId: 'test',
    namespace: stack.namespace,
    logger,
  })
  const records = (await readTopic(bus, 'auth.notices')).map(({ message: { key, value } }) => ({
    key,
    value,
  }))
  await bus.publish(records.map((record) => ({ topic: 'auth.notices', ...record })))
  await eventually(async () => expect(await bus.lag('notify', ['auth.notices'])).toBe(0))
  await bus.close()
  // Events come at least once, so the broker may hold more records than notices.
  expect(records.length).toBeGreaterThanOrEqual(asked)
  await settled()
  expect(mail.acceptedOf(address)).toBe(1)
})

it('finishes the mails in flight when both processes stop, begins no other, and sends the rest after the start', async () => {
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  mail.beforeAnswer = () => answered
  const begun = [await askForCode(), await askForCode(), await askForCode()]
  await eventually(() => expect(mail.openNow).toBe(begun.length))
  const processes = [stack.service('notify', 0), stack.service('notify', 1)]
  const stopped = Promise.all(processes.map((one) => one.stop()))
  // Each process logs this before it closes its ports.
  await Promise.all(
    processes.map(({ internalUrl }) =>
      eventually(async () => expect((await fetch(`${internalUrl}/readyz`)).status).toBe(503)),
    ),
  )
  const late = await askForCode()
  await Promise.all(
    processes.map(({ internalUrl }) => eventually(() => expect(fetch(internalUrl)).rejects.toThrow())),
  )
  // The ports are closed. Without mails in flight the processes would end within half a second.
  expect(await Promise.race([stopped, wait(1500, 'still running')])).toBe('still running')
  answer()
  await stopped
  expect(begun.map(mail.acceptedOf)).toEqual([1, 1, 1])
  expect(mail.triesOf(late)).toBe(0)
  await Promise.all(processes.map((one) => one.start()))
  await settled()
  expect([...begun, late].map(mail.acceptedOf)).toEqual([1, 1, 1, 1])
}, 60_000)
