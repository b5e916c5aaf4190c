import { keepAccount } from '@sumlock/contracts/account-routes'
import {
  changePassword,
  endOtherSessions,
  getUser,
  login,
  logout,
  resetApp,
} from '@sumlock/contracts/auth-routes'
import { lock, verifyNumericPassword, wrongPinSentence } from '@sumlock/contracts/lock-routes'
import { requestUpload } from '@sumlock/contracts/media-routes'
import { sendMessage, startConversation } from '@sumlock/contracts/messaging-routes'
import { endSession, listSessions } from '@sumlock/contracts/session-list-routes'
import { createMultipart, getUploadParameters } from '@sumlock/contracts/s3-routes'
import { jest } from '@jest/globals'
import { ask, askMany, limitsOf } from '../test-support/ask-limits.ts'

afterEach(() => {
  jest.useRealTimers()
})

describe('the rate limits', () => {
  it('let one address sign in thirty times a minute, over all accounts', async () => {
    const limits = limitsOf()
    let through = 0
    for (let number = 0; number < 31; number += 1)
      through += (await askMany(limits, 1, { route: login, userId: `u${number}` })).through
    expect(through).toBe(30)
    expect((await ask(limits, { route: login, address: '192.0.2.2' })).refusal).toBeUndefined()
    expect((await ask(limits)).refusal).toBeUndefined()
  })

  it('count all addresses of one IPv6 /64 as one', async () => {
    const limits = limitsOf()
    for (let number = 0; number < 30; number += 1)
      await ask(limits, { route: login, address: `2001:db8::${number.toString(16)}` })
    expect((await ask(limits, { route: login, address: '2001:db8::ffff' })).refusal?.status).toBe(429)
    expect((await ask(limits, { route: login, address: '2001:db8:0:1::1' })).refusal).toBeUndefined()
  })

  it.each([
    ['a /56', 4, (index: number) => `2001:db8:7:12${index.toString(16).padStart(2, '0')}::1`],
    ['a /48', 16, (index: number) => `2001:db8:7:${index.toString(16).padStart(2, '0')}00::1`],
  ])('let %s sign in %i times as often as a /64', async (_, times, at) => {
    const limits = limitsOf()
    let through = 0
    for (let index = 0; index < times * 2; index += 1)
      through += (await askMany(limits, 31, { route: login, address: at(index) })).through
    expect(through).toBe(30 * times)
    expect((await askMany(limits, 31, { route: login, address: '2001:db8:8::1' })).through).toBe(30)
  })

  it('leave a /64 its points when a network around it is used up', async () => {
    const reasons: string[] = []
    const limits = limitsOf((reason) => reasons.push(reason))
    const from = (index: number) => ({ route: login, address: `2001:db8:7:120${index}::1` })
    for (let index = 0; index < 4; index += 1) await askMany(limits, 31, from(index))
    expect(reasons).toEqual(['address', 'address', 'address', 'address'])
    for (let count = 0; count < 40; count += 1) await ask(limits, from(5))
    expect(reasons.slice(4)).toEqual(Array.from({ length: 40 }, () => 'network'))
  })

  it.each([
    ['without a session', {}, 300],
    ['with invented session cookies', { cookie: 'a'.repeat(43) }, 3000],
  ])('let a /56 make four times as many requests %s as a /64', async (_, asking, each) => {
    const limits = limitsOf()
    let through = 0
    for (let index = 0; index < 5; index += 1)
      through += (await askMany(limits, each + 1, { ...asking, address: `2001:db8:7:120${index}::1` }))
        .through
    expect(through).toBe(4 * each)
  })

  it('let a person make 600 requests in ten seconds from all addresses, then answer 429 with Retry-After', async () => {
    const limits = limitsOf()
    const { through, refusal } = await askMany(limits, 601, { userId: 'ann' })
    expect(through).toBe(600)
    expect(refusal).toMatchObject({
      status: 429,
      code: 'too_many_requests',
      message: 'That was a little too fast. Please try again in 10 seconds.',
      retryAfterSeconds: 10,
    })
    expect((await ask(limits, { userId: 'ann', address: '192.0.2.2' })).refusal?.status).toBe(429)
    expect((await ask(limits, { userId: 'bob' })).refusal).toBeUndefined()
  })

  it('let an address make 300 requests in ten seconds without a session, to any route or none', async () => {
    const limits = limitsOf()
    expect((await askMany(limits, 150)).through).toBe(150)
    expect((await askMany(limits, 151, { route: undefined })).through).toBe(150)
  })

  it('answer too many PIN entries like a wrong one, without Retry-After', async () => {
    const asking = { route: verifyNumericPassword, userId: 'ann' }
    const reasons: string[] = []
    const limits = limitsOf((reason) => reasons.push(reason))
    const { through, refusal } = await askMany(limits, 121, asking)
    expect(through).toBe(120)
    expect(reasons).toEqual(['too-often'])
    expect(refusal).toMatchObject({ status: 403, code: 'wrong_pin', message: wrongPinSentence })
    expect(refusal?.retryAfterSeconds).toBeUndefined()
  })

  it('let a person try twenty unknown user codes an hour, and do not count known ones', async () => {
    const limits = limitsOf()
    const known = { route: startConversation, userId: 'ann', status: 201 }
    const unknown = { ...known, status: 404 }
    expect((await askMany(limits, 50, known)).through).toBe(50)
    expect((await askMany(limits, 21, unknown)).through).toBe(20)
    expect((await ask(limits, known)).refusal?.status).toBe(429)
    expect((await ask(limits, { ...known, userId: 'bob' })).refusal).toBeUndefined()
  })

  it('count an unknown user code also when the client disconnects before the answer', async () => {
    const asking = { route: startConversation, userId: 'ann', status: null }
    expect((await askMany(limitsOf(), 21, asking)).through).toBe(20)
  })

  it.each([lock, logout, verifyNumericPassword])(
    'count $path per session, so that one session of a person cannot block another',
    async (route) => {
      const limits = limitsOf()
      await askMany(limits, 601, { userId: 'ann', sid: 'other' })
      await askMany(limits, 121, { route, userId: 'ann', sid: 'other' })
      expect((await ask(limits, { route, userId: 'ann', sid: 'other' })).refusal).toBeDefined()
      expect((await ask(limits, { route, userId: 'ann', sid: 'own' })).refusal).toBeUndefined()
    },
  )

  it.each([
    ...[getUser, verifyNumericPassword, keepAccount, listSessions],
    ...[endSession, endOtherSessions, changePassword, resetApp],
  ])('let no other session of a person use up $path, with which the owner cancels a reset', async (route) => {
    const limits = limitsOf()
    await askMany(limits, 601, { userId: 'ann', sid: 'stranger' })
    await askMany(limits, 200, { route, userId: 'ann', sid: 'stranger' })
    expect((await ask(limits, { route, userId: 'ann', sid: 'own' })).refusal).toBeUndefined()
  })

  it('count well-formed unknown session cookies apart from requests without one, up to 3,000 per address', async () => {
    const limits = limitsOf()
    expect((await askMany(limits, 301)).through).toBe(300)
    expect((await ask(limits, { cookie: 'malformed' })).refusal?.status).toBe(429)
    expect((await askMany(limits, 3001, { cookie: 'a'.repeat(43) })).through).toBe(3000)
  })

  it('let a person try twenty unknown user codes also when all are sent at once', async () => {
    const limits = limitsOf()
    const asking = { route: startConversation, userId: 'ann', status: 404 }
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(limits, asking)))
    expect(answers.filter(({ refusal }) => !refusal)).toHaveLength(20)
  })

  it('let a person send 60 messages in ten seconds from all sessions, and others as many', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] })
    const reasons: string[] = []
    const limits = limitsOf((reason) => reasons.push(reason))
    const sending = { route: sendMessage, userId: 'ann', status: 201 }
    expect((await askMany(limits, 30, { ...sending, sid: 'one' })).through).toBe(30)
    jest.advanceTimersByTime(4000)
    const { through, refusal } = await askMany(limits, 61, { ...sending, sid: 'other' })
    expect(through).toBe(30)
    expect(refusal).toMatchObject({ status: 429, code: 'too_many_requests', retryAfterSeconds: 6 })
    expect(reasons).toEqual(['burst'])
    expect((await ask(limits, { ...sending, userId: 'bob' })).refusal).toBeUndefined()
    jest.advanceTimersByTime(6000)
    expect((await askMany(limits, 61, sending)).through).toBe(60)
  })

  it('let messages pass that no shared count answers for, and refuse the 61st at once', async () => {
    const never = () => new Promise<never>(() => undefined)
    const limits = limitsOf(undefined, () => ({ consume: never, reward: never }))
    const sending = { route: sendMessage, userId: 'ann', status: 201 }
    const { through, refusal } = await askMany(limits, 61, sending)
    expect(through).toBe(60)
    expect(refusal?.status).toBe(429)
  })

  it('let a person send 10,000 messages a day, and say when it ends', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] })
    const reasons: string[] = []
    const limits = limitsOf((reason) => reasons.push(reason))
    const sending = { route: sendMessage, userId: 'ann', status: 201 }
    let through = 0
    for (let minute = 0; minute < 168; minute += 1) {
      through += (await askMany(limits, 60, sending)).through
      await jest.advanceTimersByTimeAsync(60_000)
    }
    // The count lags ten seconds behind.
    expect(through).toBe(10_020)
    expect((await ask(limits, sending)).refusal).toMatchObject({
      status: 429,
      message: 'That is as much as one day allows. Please try again in 22 hours.',
      retryAfterSeconds: 86_400 - 168 * 60 + 10,
    })
    expect(new Set(reasons)).toEqual(new Set(['volume']))
    expect((await ask(limits, { ...sending, userId: 'bob' })).refusal).toBeUndefined()
  })

  it.each([requestUpload, createMultipart, getUploadParameters])(
    'let a person begin 100 uploads at once and 600 an hour, and say when that ends: $path',
    async (route) => {
      jest.useFakeTimers({ doNotFake: ['setImmediate'] })
      const reasons: string[] = []
      const limits = limitsOf((reason) => reasons.push(reason))
      const beginning = { route, userId: 'ann', status: 201 }
      expect((await askMany(limits, 100, beginning)).through).toBe(100)
      let through = 100
      for (let turn = 0; turn < 10; turn += 1) {
        jest.advanceTimersByTime(60_000)
        through += (await askMany(limits, 120, beginning)).through
      }
      expect(through).toBe(600)
      jest.advanceTimersByTime(60_000)
      expect((await ask(limits, beginning)).refusal).toMatchObject({
        status: 429,
        message: 'That was a little too fast. Please try again in 49 minutes.',
        retryAfterSeconds: 49 * 60,
      })
      expect(new Set(reasons)).toEqual(new Set(['too-often']))
      expect((await ask(limits, { ...beginning, userId: 'bob' })).refusal).toBeUndefined()
    },
  )

  it('give back the point of a refused request', async () => {
    const limits = limitsOf()
    const asking = { route: startConversation, userId: 'ann', status: 201 }
    const answers = await Promise.all(Array.from({ length: 25 }, () => ask(limits, asking)))
    expect(answers.filter(({ refusal }) => !refusal)).toHaveLength(20)
    expect((await askMany(limits, 21, { ...asking, status: 404 })).through).toBe(20)
  })
})
