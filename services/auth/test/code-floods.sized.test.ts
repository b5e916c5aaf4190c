import { setTimeout as wait } from 'node:timers/promises'
import * as auth from '@sumlock/contracts/auth-routes'
import { limits } from '@sumlock/contracts/limits'
import { Client } from '@sumlock/deployment/api-client'
import type { Stack } from '@sumlock/dev/product/services'
import { sized } from '@sumlock/testing/config'
import { withDatabase } from '@sumlock/testing/database'
import { startTestStack } from '@sumlock/testing/engines'
import { freshPhone } from '@sumlock/testing/fresh-phone'
import { scrape, sumOf } from '@sumlock/testing/scrape'

const { budget, addresses } = sized({
  small: { budget: 100, addresses: 15 },
  full: { budget: 200, addresses: 60 },
})
const hourMs = 3_600_000
const [perAddress, perFiftySix, perFortyEight] = limits.unverifiedCodesPerHour

let stack: Stack
beforeAll(async () => {
  stack = await startTestStack({
    replicas: { messaging: 0, billing: 0, realtime: 0, notify: 0 },
    env: {
      gateway: { RATE_LIMITS: 'on', TRUSTED_HOPS: '1' },
      auth: { RATE_LIMITS: 'on', SMS_PER_HOUR: String(budget), SMS_COUNTRIES: 'DE' },
    },
  })
})
afterAll(() => stack.stop())

beforeEach(async () => {
  // The budget applies to an hour of the clock, which must not end within a test.
  const leftMs = hourMs - (Date.now() % hourMs)
  if (leftMs < 60_000) await wait(leftMs)
  await withDatabase(stack, 'auth', (database) => database.collection('phone_code_limits').deleteMany({}))
})

/** Tests use addresses of their own, because the gateway counts each for ten minutes. */
const browserAt = (address: string) =>
  new Client({ gatewayUrl: stack.gatewayUrl, headers: { 'x-forwarded-for': address } })
const ask = (address: string, phone = freshPhone()) =>
  browserAt(address).call(auth.requestPhoneCode, { body: { phone } })
const askOften = async (address: string, times: number) => {
  const answers = await Promise.all(Array.from({ length: times }, () => ask(address)))
  return answers.filter(({ status }) => status === 200).length
}
const counted = async (result: string) =>
  sumOf(await scrape(stack.service('auth')), 'phone_codes_total', { result })

it(`gives a new address its code after ${addresses} addresses used their whole share of ${budget} codes in the hour`, async () => {
  const refusedBefore = await counted('refused-share')
  let sent = 0
  for (let number = 0; number < addresses; number += 5) {
    const some = Array.from({ length: 5 }, (_, index) => askOften(`192.0.2.${number + index}`, perAddress))
    for (const count of await Promise.all(some)) sent += count
  }
  // Each address had its first code, and all of them together had half of the budget for further codes.
  expect(sent).toBe(addresses + budget / 2)
  expect((await counted('refused-share')) - refusedBefore).toBe(addresses * perAddress - sent)
  expect(await ask('198.51.100.1')).toMatchObject({ status: 200 })
  const further = await ask('198.51.100.1')
  expect(further).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  expect(Number(further.headers.get('retry-after'))).toBeLessThanOrEqual(hourMs / 1000)
})

it('refuses the eleventh code of an address and says when it ends; other addresses are not affected', async () => {
  expect(await askOften('203.0.113.20', perAddress + 5)).toBe(perAddress)
  const refused = await ask('203.0.113.20')
  expect(refused).toMatchObject({
    status: 429,
    body: {
      error: expect.stringMatching(
        /^Too many codes were requested from your network.* in (59|60) minutes\.$/,
      ),
    },
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(hourMs / 1000 - 120)
  expect(await ask('203.0.113.21')).toMatchObject({ status: 200 })
})

it('gives the requesting address one code back when its code is verified, wherever it is entered', async () => {
  const verifiedBefore = sumOf(await scrape(stack.service('auth')), 'phone_codes_verified_total')
  const asking = browserAt('203.0.113.30')
  const { demoCode = '' } = await asking.ok(auth.requestPhoneCode, { body: { phone: freshPhone() } })
  expect(await askOften('203.0.113.30', perAddress)).toBe(perAddress - 1)

  const elsewhere = browserAt('198.51.100.30')
  for (const [name, value] of asking.cookies) elsewhere.cookies.set(name, value)
  elsewhere.keptToken = await elsewhere.csrfToken()
  const verify = () => elsewhere.call(auth.verifyPhoneCode, { body: { code: demoCode } })
  const statuses = (await Promise.all([verify(), verify(), verify()])).map(({ status }) => status)
  expect(statuses).toContain(200)
  expect(await askOften('203.0.113.30', 3)).toBe(1)
  expect(sumOf(await scrape(stack.service('auth')), 'phone_codes_verified_total')).toBe(verifiedBefore + 1)
})

it('gives a /56 two times and a /48 four times the codes of a /64', async () => {
  const networks = (at: (index: number) => string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => askOften(at(index), perAddress)))
  const sum = (sent: number[]) => sent.reduce((all, one) => all + one)
  expect(sum(await networks((index) => `2001:db8:7:120${index}::1`, 3))).toBe(perFiftySix)
  expect(sum(await networks((index) => `2001:db8:7:4${index}00::1`, 3))).toBe(perFortyEight - perFiftySix)
  expect(await ask('2001:db8:8::1')).toMatchObject({ status: 200 })
})

it('sends four first codes an hour to all addresses of a /48, two of them to those of a /56', async () => {
  await withDatabase(stack, 'auth', (database) =>
    database.collection('phone_code_limits').insertOne({
      _id: `all:${Math.floor(Date.now() / hourMs)}` as never,
      count: budget / 2,
      further: budget / 2,
      expiresAt: new Date(Date.now() + hourMs),
    }),
  )
  const sent = async (address: string) => (await ask(address)).status
  const addresses = ['101', '102', '103', '201', '201', '301', '401'].map((net) => `2001:db8:7:${net}::1`)
  const statuses: number[] = []
  for (const address of addresses) statuses.push(await sent(address))
  expect(statuses).toEqual([200, 200, 429, 200, 429, 200, 429])
  expect(await ask('2001:db8:8:1::1')).toMatchObject({ status: 200 })
})

it('counts no code to an address that was refused for its number', async () => {
  const phone = freshPhone()
  for (let number = 0; number < limits.phoneCodesPerHour; number += 1)
    await ask(`198.51.100.${number}`, phone)
  for (let count = 0; count < perAddress; count += 1)
    expect(await ask('203.0.113.60', phone)).toMatchObject({ status: 429 })
  expect(await askOften('203.0.113.60', perAddress)).toBe(perAddress)
})

it('sends no code to a number of a country that it does not serve, and counts the refusal', async () => {
  const before = await counted('refused-country')
  const sentence = 'We cannot send codes to numbers of this country. Please use another number.'
  expect(await ask('203.0.113.70', '+18765550123')).toMatchObject({
    status: 400,
    body: { code: 'phone_country_not_served', error: sentence, fields: { phone: sentence } },
  })
  expect(await counted('refused-country')).toBe(before + 1)
})
