import * as auth from '@sumlock/contracts/auth-routes'
import { limits } from '@sumlock/contracts/limits'
import type { Stack } from '@sumlock/dev/product/services'
import { Client } from '@sumlock/deployment/api-client'
import { withDatabase } from '@sumlock/testing/database'
import { startTestStack } from '@sumlock/testing/engines'
import { freshPhone } from '@sumlock/testing/fresh-phone'
import { scrape, sumOf } from '@sumlock/testing/scrape'
import { eventually } from '@sumlock/testing/wait'

const budget = 50
const hourMs = 3_600_000

let stack: Stack
beforeAll(async () => {
  stack = await startTestStack({
    replicas: { auth: 2, messaging: 0, billing: 0, realtime: 0, notify: 0 },
    env: { auth: { SMS_PER_HOUR: String(budget) } },
  })
})
afterAll(() => stack.stop())

const askForCode = (phone: string) =>
  new Client({ gatewayUrl: stack.gatewayUrl }).call(auth.requestPhoneCode, { body: { phone } })
const askAtOnce = (phones: readonly string[]) => Promise.all(phones.map(askForCode))
const statusesOf = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort()

/** Sets the count of codes of this hour, and of the next one in case it begins meanwhile. */
const spend = (count: number) =>
  withDatabase(stack, 'auth', async (database) => {
    const hour = Math.floor(Date.now() / hourMs)
    for (const at of [hour, hour + 1])
      await database
        .collection('phone_code_limits')
        .updateOne(
          { _id: `all:${at}` as never },
          { $set: { count, expiresAt: new Date((at + 1) * hourMs) } },
          { upsert: true },
        )
  })

const sumOfBoth = async (name: string, labels: Record<string, string> = {}) => {
  const samples = await Promise.all([0, 1].map((index) => scrape(stack.service('auth', index))))
  return sumOf(samples.flat(), name, labels)
}

it('sends five of eight codes requested at once for one number, and none in the rest of the hour', async () => {
  const phone = freshPhone()
  const answers = await askAtOnce(Array.from({ length: 8 }, () => phone))
  expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
  expect(await askForCode(phone)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  expect(await askForCode(freshPhone())).toMatchObject({ status: 200 })
})

it('tells how long to wait for the next phone code: the pause of a resend, and the rest of the hour', async () => {
  const phone = freshPhone()
  const client = new Client({ gatewayUrl: stack.gatewayUrl })
  await client.ok(auth.requestPhoneCode, { body: { phone } })
  const resend = await client.call(auth.requestPhoneCode, { body: { phone } })
  const pause = Number(resend.headers.get('retry-after'))
  expect(pause).toBeGreaterThan(0)
  expect(pause).toBeLessThanOrEqual(limits.phoneResendAfterSeconds)
  expect(resend.body).toMatchObject({
    error: `A code was sent a moment ago. You can ask for another one in ${pause} second${pause === 1 ? '' : 's'}.`,
  })

  await askAtOnce(Array.from({ length: limits.phoneCodesPerHour - 1 }, () => phone))
  const refused = await askForCode(phone)
  const hour = Number(refused.headers.get('retry-after'))
  expect(hour).toBeGreaterThan(hourMs / 1000 - 120)
  expect(hour).toBeLessThanOrEqual(hourMs / 1000)
  expect(refused.body).toMatchObject({
    error: expect.stringMatching(/^Too many codes were sent to this number.* in (59|60) minutes\.$/),
  })
})

it.each(['+4402079460018', '+330612345678', '+3933312'])(
  'sends no code to %s, which no country has, and counts none',
  async (phone) => {
    const before = await sumOfBoth('phone_codes_total')
    expect(await askForCode(phone)).toMatchObject({
      status: 400,
      body: { fields: { phone: 'No such number can exist. Please check its digits.' } },
    })
    expect(await sumOfBoth('phone_codes_total')).toBe(before)
  },
)

it('D-02 D-03: takes no guess for the code of an earlier SMS, which opens nothing', async () => {
  const phone = freshPhone()
  const client = new Client({ gatewayUrl: stack.gatewayUrl })
  const earlier = await client.ok(auth.requestPhoneCode, { body: { phone } })
  await withDatabase(stack, 'auth', (database) =>
    database.collection('phone_verifications').updateOne({ phone }, { $set: { sentAt: new Date(0) } }),
  )
  const newest = await client.ok(auth.requestPhoneCode, { body: { phone } })
  client.keptToken = await client.csrfToken()
  const verify = (code = '') => client.call(auth.verifyPhoneCode, { body: { code } })
  for (let count = 0; count <= limits.phoneCodeMaxGuesses; count += 1)
    expect(await verify(earlier.demoCode)).toMatchObject({
      status: 403,
      body: { code: 'wrong_code', error: 'This code is from an earlier SMS. Please enter the newest one.' },
    })
  expect(await verify(newest.demoCode)).toMatchObject({ status: 200 })
})

it('sends phone codes again an hour after the first', async () => {
  const phone = freshPhone()
  await askAtOnce(Array.from({ length: limits.phoneCodesPerHour }, () => phone))
  expect(await askForCode(phone)).toMatchObject({ status: 429 })
  await withDatabase(stack, 'auth', (database) =>
    database
      .collection('phone_code_limits')
      .updateMany({ sentAt: { $size: limits.phoneCodesPerHour } }, [
        { $set: { sentAt: { $map: { input: '$sentAt', in: { $subtract: ['$$this', hourMs] } } } } },
      ]),
  )
  expect(await askForCode(phone)).toMatchObject({ status: 200 })
})

it('stops sending phone codes at the hourly budget of all numbers, and counts the refusals', async () => {
  await spend(budget - 3)
  const before = await sumOfBoth('phone_codes_total', { result: 'refused-budget' })
  const answers = await askAtOnce(Array.from({ length: 8 }, freshPhone))
  expect(statusesOf(answers)).toEqual([200, 200, 200, 429, 429, 429, 429, 429])
  const waits = answers
    .filter(({ status }) => status === 429)
    .map(({ headers }) => Number(headers.get('retry-after')))
  for (const wait of waits) {
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(hourMs / 1000)
  }
  expect(await sumOfBoth('phone_codes_total', { result: 'refused-budget' })).toBe(before + 5)
  await spend(0)
  expect(await askForCode(freshPhone())).toMatchObject({ status: 200 })
})

it('hashes no password for a registration without a phone proof', async () => {
  const client = new Client({ gatewayUrl: stack.gatewayUrl })
  client.cookies.set('phone', 'an-invented-proof')
  const before = await sumOfBoth('hash_queue_wait_seconds_count')
  const account = { username: 'no.proof', email: 'no.proof@example.com', fullName: 'No Proof' }
  const body = { ...account, phone: freshPhone(), password: 'correct horse' }
  expect(await client.call(auth.register, { body })).toMatchObject({
    status: 403,
    body: { code: 'phone_not_verified' },
  })
  expect(await sumOfBoth('hash_queue_wait_seconds_count')).toBe(before)
})

it('deletes a phone number that was never verified, after a restart of auth at the latest', async () => {
  const phone = freshPhone()
  await askForCode(phone)
  const rows = () =>
    withDatabase(stack, 'auth', (database) =>
      database.collection('phone_verifications').countDocuments({ phone }),
    )
  await withDatabase(stack, 'auth', (database) =>
    database
      .collection('phone_verifications')
      .updateOne({ phone }, { $set: { expiresAt: new Date(Date.now() - 2 * hourMs) } }),
  )
  expect(await rows()).toBe(1)
  await stack.service('auth', 1).stop()
  await stack.service('auth', 1).start()
  await eventually(async () => expect(await rows()).toBe(0))
})
