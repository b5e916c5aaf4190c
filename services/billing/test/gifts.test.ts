import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  getOffer,
  getPayment,
  giftPremium,
  redeemCode,
  stripeWebhook,
  upgrade,
} from '@sumlock/contracts/subscription-routes'
import { limits } from '@sumlock/contracts/limits'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { transact } from '@sumlock/service-kit/transact'
import { withDatabase } from '@sumlock/testing/database'
import { publishedIn } from '@sumlock/testing/events'
import { mailsFor } from '@sumlock/testing/inbox'
import { makePeople, readUser, registerPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import type { Gift } from '../src/domain/gift.ts'
import { runDue } from '../src/use-cases/run-due.ts'
import { settlePayment } from '../src/use-cases/settle-payment.ts'
import { endedGiftsForget } from '../src/stores/gift-store.ts'
import { openBilling } from './open-billing.ts'
import type { OpenBilling } from './open-billing.ts'

const yearMs = 365 * 86_400_000
let offsetMs = 0
let stack: RunningStack
let billing: OpenBilling
beforeAll(async () => {
  stack = await sharedStack()
  billing = await openBilling(stack, {}, () => new Date(Date.now() + offsetMs))
})
afterAll(() => billing?.close())
beforeEach(() => {
  offsetMs = 0
})

const give = async (buyer: Person, recipientEmail: string, giftMessage?: string) => {
  const body = { recipientEmail, ...(giftMessage ? { giftMessage } : {}) }
  const answer = await buyer.client.ok(giftPremium, { body })
  if (!('upgradeCode' in answer)) throw new Error('the sandbox asks for no checkout')
  return answer.upgradeCode
}
const redeem = ({ client }: Person, upgradeCode: string) => client.call(redeemCode, { body: { upgradeCode } })
const giftOf = (buyer: Person) =>
  withDatabase(stack, 'billing', (database) =>
    database.collection('subscription_gifts').findOne({ buyerId: buyer.user.id }),
  )

it('CALL-33 ENT-28: a gift keeps buyer, recipient, message, expiry and time, and the database has no code', async () => {
  const buyer = await registerPerson(stack)
  const code = await give(buyer, 'friend@example.com', 'For all our sums')
  expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
  const gift = await giftOf(buyer)
  expect(gift).toMatchObject({
    buyerId: buyer.user.id,
    recipientEmail: 'friend@example.com',
    giftMessage: 'For all our sums',
    status: 'sent',
  })
  expect((gift?.['expiresAt'] as Date).getTime() - (gift?.['paidAt'] as Date).getTime()).toBe(yearMs)
  expect(gift?.['createdAt']).toBeInstanceOf(Date)
  const everything = JSON.stringify(gift)
  expect(everything).not.toContain(code)
  expect(everything).not.toContain(code.replaceAll('-', ''))
})

it('CALL-34 STATE-21 ENT-27: a code is redeemed once; the same person again gets the same answer, another a refusal', async () => {
  const [buyer, friend, stranger] = await Promise.all([1, 2, 3].map(() => registerPerson(stack)))
  if (!buyer || !friend || !stranger) throw new Error('three people')
  const code = await give(buyer, 'friend@example.com')
  expect(await giftOf(buyer)).toMatchObject({ isRedeemed: false, redeemedBy: null })
  expect((await readUser(friend.client)).subscriptionType).toBe('free')
  const first = await redeem(friend, code.toLowerCase().replaceAll('-', ' '))
  expect(first.status).toBe(200)
  const again = await redeem(friend, code)
  expect(again).toMatchObject({ status: 200, body: first.body })
  expect(await giftOf(buyer)).toMatchObject({ isRedeemed: true, redeemedBy: friend.user.id })

  const used = await redeem(stranger, code)
  const unknown = await redeem(stranger, 'ABCD-EFGH-JKMN-PQRS')
  expect([used.status, unknown.status]).toEqual([409, 404])
  const sentenceOf = ({ body }: { body: unknown }) => (body as { error: string }).error
  expect(sentenceOf(used)).toBe(sentenceOf(unknown))
  expect((await readUser(friend.client)).subscriptionType).toBe('premium')
  expect((await readUser(stranger.client)).subscriptionType).toBe('free')
})

it('ENT-25: a gift needs a buyer, a recipient e-mail and an upgrade code', async () => {
  const buyer = await registerPerson(stack)
  const answer = await billing.call(giftPremium, { userId: buyer.user.id, body: {} })
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect(await giftOf(buyer)).toBeNull()
  await give(buyer, 'friend@example.com')
  const gift = await giftOf(buyer)
  const { connection, gifts } = billing.ctx
  for (const field of ['buyerId', 'recipientEmail', 'codeHash']) {
    const incomplete = { ...gift, _id: randomUUID(), [field]: null } as unknown as Gift
    await expect(transact(connection, (session) => gifts.insert(incomplete, session))).rejects.toMatchObject({
      errors: { [field]: { kind: 'required' } },
    })
  }
})

it('ENT-26: the database refuses a second gift with the same code', async () => {
  const buyer = await registerPerson(stack)
  await give(buyer, 'friend@example.com')
  const gift = await giftOf(buyer)
  const again = withDatabase(stack, 'billing', (database) =>
    database.collection('subscription_gifts').insertOne({ ...gift, _id: randomUUID() } as never),
  )
  await expect(again).rejects.toMatchObject({ code: 11000 })
})

it('10 people race for one code over two replicas: one of them has a year', async () => {
  const buyer = await registerPerson(stack)
  const people = await makePeople(10, () => registerPerson(stack))
  const code = await give(buyer, 'anyone@example.com')
  const answers = await Promise.all(people.map((person) => redeem(person, code)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)])
  const grants = await billing.ctx.ledger.grantsOfAll(people.map(({ user }) => user.id))
  expect(grants).toHaveLength(1)
  expect((grants[0]?.endsAt.getTime() ?? 0) - (grants[0]?.startsAt.getTime() ?? 0)).toBe(yearMs)
})

it('seven people who tap three times each for one code get an answer each, and no redemption begins twice', async () => {
  const upgradeCode = await give(await registerPerson(stack), 'anyone@example.com')
  const open = await openBilling(stack, { REDEEM_TRIES_PER_ADDRESS: '100' })
  const { redeem: redeemOnce } = open.ctx.gifts
  let begun = 0
  open.ctx.gifts.redeem = (...input) => {
    begun += 1
    return redeemOnce(...input)
  }
  try {
    const people = Array.from({ length: 7 }, () => randomUUID())
    const taps = [...people, ...people, ...people]
    const answers = await Promise.all(
      taps.map((userId) => open.call(redeemCode, { userId, body: { upgradeCode } })),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array<number>(3).fill(200), ...Array<number>(18).fill(409)])
    expect(await open.ctx.ledger.grantsOfAll(people)).toHaveLength(1)
    // A transaction that collides with another starts again.
    expect(begun).toBe(taps.length)
  } finally {
    await open.close()
  }
})

it('a gift that was not redeemed within its year is expired, and can still be given back', async () => {
  const [buyer, friend] = await Promise.all([registerPerson(stack), registerPerson(stack)])
  const code = await give(buyer, 'friend@example.com')
  const { _id } = (await giftOf(buyer)) as unknown as Gift
  const { connection, payments } = billing.ctx
  const past = { $set: { expiresAt: new Date(Date.now() - 1000) } }
  await connection.collection<{ _id: string }>('subscription_gifts').updateOne({ _id }, past)
  await runDue(billing.ctx, new Date())
  expect(await giftOf(buyer)).toMatchObject({ status: 'expired', isRedeemed: false })
  expect((await redeem(friend, code)).status).toBe(404)
  const payment = await connection.collection<{ _id: string }>('payments').findOne({ giftId: _id })
  await settlePayment(billing.ctx, { paymentId: payment?._id ?? '', change: 'refunded' })
  expect(await giftOf(buyer)).toMatchObject({ status: 'refunded' })
  expect(await payments.byId(payment?._id ?? '')).toMatchObject({ status: 'refunded' })
})

describe('the recipient and the message of a gift', () => {
  const told = async (buyer: Person) => {
    const { recipientEmail, giftMessage, status } = (await giftOf(buyer)) as unknown as Gift
    return { recipientEmail, giftMessage, status }
  }

  it('is gone once it is redeemed', async () => {
    const [buyer, friend] = await Promise.all([registerPerson(stack), registerPerson(stack)])
    const code = await give(buyer, 'friend@example.com', 'Dear friend')
    expect(await told(buyer)).toEqual({
      recipientEmail: 'friend@example.com',
      giftMessage: 'Dear friend',
      status: 'sent',
    })
    await redeem(friend, code)
    expect(await told(buyer)).toEqual({ status: 'redeemed' })
    const payment = await billing.ctx.connection
      .collection('payments')
      .findOne({ userId: buyer.user.id, kind: 'gift' })
    const params = { id: String(payment?._id) }
    expect(await billing.call(getPayment, { userId: buyer.user.id, params })).toMatchObject({
      status: 200,
      body: { status: 'paid', gift: null },
    })
  })

  it('is gone once it is expired or refunded', async () => {
    const [expired, refunded] = await Promise.all([registerPerson(stack), registerPerson(stack)])
    await give(expired, 'friend@example.com', 'Dear friend')
    await give(refunded, 'friend@example.com', 'Dear friend')
    const gifts = billing.ctx.connection.collection('subscription_gifts')
    const past = { $set: { expiresAt: new Date(Date.now() - 1000) } }
    await gifts.updateOne({ buyerId: expired.user.id }, past)
    await runDue(billing.ctx, new Date())
    expect(await told(expired)).toEqual({ status: 'expired' })
    const payment = await billing.ctx.connection.collection('payments').findOne({ userId: refunded.user.id })
    await settlePayment(billing.ctx, { paymentId: String(payment?._id), change: 'refunded' })
    expect(await told(refunded)).toEqual({ status: 'refunded' })
  })

  it('is taken by a migration from gifts that had ended before, and left in others', async () => {
    const [before, open] = await Promise.all([registerPerson(stack), registerPerson(stack)])
    await give(before, 'friend@example.com', 'Dear friend')
    await give(open, 'friend@example.com', 'Dear friend')
    const { connection } = billing.ctx
    const redeemed = { $set: { status: 'redeemed' } }
    await connection.collection('subscription_gifts').updateOne({ buyerId: before.user.id }, redeemed)
    await endedGiftsForget.up(connection)
    expect(await told(before)).toEqual({ status: 'redeemed' })
    expect(await told(open)).toMatchObject({ recipientEmail: 'friend@example.com' })
  })
})

it('unpaid purchases and promo codes without effect are gone after 90 days', async () => {
  const { connection } = billing.ctx
  const userId = randomUUID()
  const rows = {
    subscription_gifts: { buyerId: userId, status: 'created', paidAt: null },
    payments: { userId, status: 'failed', paidAt: null },
    promo_code_redemptions: { userId, status: 'failed' },
  }
  const lasting = { status: 'success', paidAt: new Date() }
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  for (const [name, row] of Object.entries(rows)) {
    const made = { codeHash: randomUUID(), checkedAt: new Date() }
    await connection.collection<{ _id: string }>(name).insertMany([
      { ...row, ...made, _id: `${userId}-old`, createdAt: daysAgo(91) },
      { ...row, ...made, codeHash: randomUUID(), _id: `${userId}-young`, createdAt: daysAgo(89) },
      { ...row, ...made, ...lasting, codeHash: randomUUID(), _id: `${userId}-kept`, createdAt: daysAgo(91) },
    ] as never)
  }
  await runDue(billing.ctx, new Date())
  for (const name of Object.keys(rows)) {
    const left = await connection
      .collection<{ _id: string }>(name)
      .find({ _id: { $regex: `^${userId}` } } as never)
      .toArray()
    expect([name, ...left.map(({ _id }) => _id.slice(userId.length + 1)).sort()]).toEqual([
      name,
      'kept',
      'young',
    ])
  }
})

it('PROD-16 D-24: the code of a gift is in its mail, and neither in the database, in a topic nor in a log', async () => {
  const buyer = await registerPerson(stack)
  const recipient = `${randomUUID()}@example.com`
  const code = await give(buyer, recipient)
  const mail = await waitUntil(
    'the mail',
    async () => (await mailsFor(stack.addresses.inboxUrl, recipient))[0],
  )
  expect(mail.text).toContain(code)

  const stored = await withDatabase(stack, 'billing', async (database) =>
    Promise.all(
      (await database.listCollections()).map(({ name }) => database.collection(name).find({}).toArray()),
    ),
  )
  const published = await Promise.all(
    (['auth.notices', 'billing.subscriptions'] as const).map((topic) => publishedIn(stack, topic)),
  )
  const concerned = stack.services.filter(({ service }) => ['gateway', 'billing', 'notify'].includes(service))
  const logged = await Promise.all(concerned.map(({ logFile }) => readFile(logFile, 'utf8')))
  const { _id } = (await giftOf(buyer)) as unknown as Gift
  const places = { stored: JSON.stringify(stored), published: published.flat().join(), logged: logged.join() }
  expect(places.stored).toContain(_id)
  expect(places.published).toContain('auth.notice-requested.v1')
  expect(places.logged).toContain(giftPremium.path)
  for (const text of Object.values(places)) {
    expect(text.includes(code)).toBe(false)
    expect(text.includes(code.replaceAll('-', ''))).toBe(false)
  }
})

it('a code works until its last second and not after it', async () => {
  const [buyer, early, late] = await Promise.all([1, 2, 3].map(() => registerPerson(stack)))
  if (!buyer || !early || !late) throw new Error('three people')
  const codes = [await give(buyer, 'a@example.com'), await give(buyer, 'b@example.com')] as const
  const call = ({ user }: Person, upgradeCode: string) =>
    billing.call(redeemCode, { userId: user.id, body: { upgradeCode } })
  offsetMs = yearMs - 60_000
  expect((await call(early, codes[0])).status).toBe(200)
  offsetMs = yearMs + 60_000
  expect((await call(late, codes[1])).status).toBe(404)
})

const hourMs = 3_600_000
/** Starts a new hour, because tries are counted by the hour. */
const beginHour = () => {
  offsetMs = hourMs - (Date.now() % hourMs)
}

it('counts refused tries of a person for an hour, and not those that were right', async () => {
  beginHour()
  const userId = (await registerPerson(stack)).user.id
  const call = (upgradeCode: string) => billing.call(redeemCode, { userId, body: { upgradeCode } })
  const buyer = await registerPerson(stack)
  const code = await give(buyer, 'me@example.com')
  const wrong = Array.from({ length: limits.redeemTriesPerPerson - 1 }, () => 'ABCD-EFGH-JKMN-PQRS')
  for (const one of wrong) expect((await call(one)).status).toBe(404)
  expect((await call(code)).status).toBe(200)
  expect((await call('ABCD-EFGH-JKMN-PQRS')).status).toBe(404)
  const refused = await call(code)
  expect(refused.status).toBe(429)
  offsetMs += hourMs
  expect((await call(code)).status).toBe(200)
})

it('counts refused tries of an address for an hour, whoever makes them', async () => {
  beginHour()
  const strict = await openBilling(
    stack,
    { REDEEM_TRIES_PER_ADDRESS: '3' },
    () => new Date(Date.now() + offsetMs),
  )
  try {
    const buyer = await registerPerson(stack)
    const code = await give(buyer, 'me@example.com')
    const network = `2001:db8:${randomUUID().slice(0, 4)}`
    const call = (upgradeCode: string, from: string) =>
      strict.call(redeemCode, {
        userId: randomUUID(),
        body: { upgradeCode },
        headers: { 'x-forwarded-for': from },
      })
    // A household has all addresses of a /64.
    for (const address of ['1::1', '1::1', '1::2'])
      expect((await call('ABCD-EFGH-JKMN-PQRS', `${network}:${address}`)).status).toBe(404)
    const refused = await call(code, `${network}:1::3`)
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect((await call('ABCD-EFGH-JKMN-PQRS', `${network}:2::1`)).status).toBe(404)
    offsetMs += hourMs
    expect((await call(code, `${network}:1::3`)).status).toBe(200)
  } finally {
    await strict.close()
  }
})

it('sells nothing without a provider of payments, and says so', async () => {
  const closed = await openBilling(stack, { PAYMENTS: 'none' })
  try {
    const userId = randomUUID()
    expect((await closed.call(getOffer, { userId })).body).toMatchObject({ provider: null })
    const gift = { recipientEmail: 'friend@example.com' }
    for (const answer of [
      await closed.call(upgrade, { userId }),
      await closed.call(giftPremium, { userId, body: gift }),
    ])
      expect(answer).toMatchObject({ status: 503, body: { code: 'payment_unavailable' } })
    expect(await billing.ctx.ledger.grantsOf(userId)).toEqual([])
    const forged = { body: '{}', headers: { 'stripe-signature': 't=1,v1=00' } }
    expect((await closed.call(stripeWebhook, forged)).status).toBe(400)
  } finally {
    await closed.close()
  }
})

it('CALL-32: an upgrade in the sandbox answers at once, and a double tap buys one year', async () => {
  const person = await registerPerson(stack)
  const taps = await Promise.all(Array.from({ length: 4 }, () => person.client.call(upgrade)))
  expect(new Set(taps.map(({ status }) => status))).toEqual(new Set([200]))
  const { subscriptionType, subscriptionExpiresAt } = await readUser(person.client)
  expect(subscriptionType).toBe('premium')
  expect(Math.abs(Date.parse(subscriptionExpiresAt ?? '') - Date.now() - yearMs)).toBeLessThan(60_000)
})
