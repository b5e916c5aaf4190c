import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getUser, requestPhoneCode } from '@sumlock/contracts/auth-routes'
import { createSessionGuard } from '@sumlock/service-kit/caller'
import { systemClock } from '@sumlock/service-kit/clock'
import { createLogger } from '@sumlock/service-kit/logger'
import { noDatabase } from '@sumlock/testing/no-database'
import { createPublicApp } from '../app.ts'
import type { Context } from '../context.ts'
import { emptyBudget } from '../domain/unlock-budget.ts'
import { createAuthMetrics } from '../metrics.ts'

let server: Server
afterEach(() => new Promise((resolve) => server.close(resolve)))

async function listen(ctx: Context): Promise<string> {
  server = createServer(createPublicApp(ctx)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The answer to a request for a phone code. Nothing is stored or sent. */
async function askForCode(showPhoneCode: 'on' | 'off') {
  const clock = systemClock()
  const done = () => Promise.resolve()
  const ctx = {
    config: {
      SUMLOCK_MODE: 'test',
      SHOW_PHONE_CODE: showPhoneCode,
      COOKIE_SECURE: false,
      NOTICE_KEY_ID: 'a',
      NOTICE_KEY: Buffer.alloc(32),
    },
    clock,
    guard: createSessionGuard([], clock, 'auth'),
    metrics: createAuthMetrics(),
    logger: createLogger({ service: 'auth', instance: 'test', level: 'silent' }),
    connection: noDatabase(),
    phoneVerifications: { insert: done },
    sendLimits: {
      take: () => Promise.resolve(0),
      takeFromBudget: () => Promise.resolve(undefined),
    },
    outbox: { add: done, kick: () => undefined },
    codeMac: () => 'mac',
  } as unknown as Context
  const answer = await fetch((await listen(ctx)) + requestPhoneCode.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone: '+4915112345678' }),
  })
  return { status: answer.status, body: await answer.json() }
}

describe('a phone code', () => {
  it('is not in the answer when SHOW_PHONE_CODE is off', async () => {
    expect(await askForCode('off')).toEqual({
      status: 200,
      body: { resendAfterSeconds: 30, expiresInSeconds: 600 },
    })
  })

  it('is in the answer when SHOW_PHONE_CODE is on', async () => {
    expect(await askForCode('on')).toMatchObject({
      status: 200,
      body: { demoCode: expect.stringMatching(/^\d{6}$/) },
    })
  })
})

describe('the account of a verified caller', () => {
  it.each([
    { missing: 'session', users: { _id: 'ann' }, sessions: null },
    { missing: 'user', users: null, sessions: { _id: 's' } },
  ])('is refused with 401 when the $missing is gone', async ({ users, sessions }) => {
    const clock = systemClock()
    const caller = { userId: 'ann', sessionId: 's', isAdmin: false, unlockedUntil: null }
    const ctx = {
      clock,
      config: { SUMLOCK_MODE: 'test', COOKIE_SECURE: false },
      guard: { identify: () => caller, require: () => caller },
      metrics: createAuthMetrics(),
      logger: createLogger({ service: 'auth', instance: 'test', level: 'silent' }),
      users: { byId: () => Promise.resolve(users) },
      sessions: { byId: () => Promise.resolve(sessions) },
      unlockBudgets: { read: () => Promise.resolve(null) },
    } as unknown as Context
    const answer = await fetch((await listen(ctx)) + getUser.path)
    expect(answer.status).toBe(401)
  })

  it('shows until when entries are paused', async () => {
    const clock = systemClock()
    const now = clock.now()
    const pausedUntil = new Date(now.getTime() + 60_000)
    const caller = { userId: 'ann', sessionId: 's', isAdmin: false, unlockedUntil: null }
    const ctx = {
      clock,
      config: { SUMLOCK_MODE: 'test', COOKIE_SECURE: false },
      guard: { identify: () => caller, require: () => caller },
      metrics: createAuthMetrics(),
      logger: createLogger({ service: 'auth', instance: 'test', level: 'silent' }),
      users: {
        byId: () =>
          Promise.resolve({
            _id: randomUUID(),
            username: 'ann',
            isDiscreet: true,
            pinMac: 'mac',
            silentHits: 0,
          }),
      },
      sessions: { byId: () => Promise.resolve({ _id: 's', unlockedUntil: null, createdAt: new Date(0) }) },
      unlockBudgets: {
        read: () => Promise.resolve({ budget: { ...emptyBudget(now), pausedUntil } }),
      },
    } as unknown as Context
    const answer = await fetch((await listen(ctx)) + getUser.path)
    expect(await answer.json()).toMatchObject({ unlockPausedUntil: pausedUntil.toISOString() })
  })
})
