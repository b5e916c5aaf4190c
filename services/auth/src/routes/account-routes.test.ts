import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { requestPhoneCode } from '@sumlock/contracts/auth-routes'
import { createSessionGuard } from '@sumlock/service-kit/caller'
import { systemClock } from '@sumlock/service-kit/clock'
import { createLogger } from '@sumlock/service-kit/logger'
import { createPublicApp } from '../app.ts'
import type { Context } from '../context.ts'
import { createAuthMetrics } from '../metrics.ts'

let server: Server
afterEach(() => new Promise((resolve) => server.close(resolve)))

/** What somebody is answered who asks for a phone code; stored and sent is nothing. */
async function askForCode(showPhoneCode: 'on' | 'off') {
  const clock = systemClock()
  const done = () => Promise.resolve()
  const ctx = {
    config: {
      ...{ SUMLOCK_MODE: 'test', SHOW_PHONE_CODE: showPhoneCode, COOKIE_SECURE: false },
      ...{ NOTICE_KEY_ID: 'a', NOTICE_KEY: Buffer.alloc(32) },
    },
    ...{ clock, guard: createSessionGuard([], clock), metrics: createAuthMetrics() },
    logger: createLogger({ service: 'auth', instance: 'test', level: 'silent' }),
    connection: { transaction: (work: () => Promise<void>) => work() },
    phoneVerifications: { insert: done },
    phoneCodeLimits: {
      takeForNumber: () => Promise.resolve(true),
      takeFromBudget: () => Promise.resolve(true),
    },
    outbox: { add: done, kick: () => undefined },
    codeMac: () => 'mac',
  } as unknown as Context
  server = createServer(createPublicApp(ctx)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answer = await fetch(origin + requestPhoneCode.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone: '+4915112345678' }),
  })
  return { status: answer.status, body: await answer.json() }
}

describe('a phone code', () => {
  it('is in no answer where it is not to be shown', async () => {
    expect(await askForCode('off')).toEqual({
      status: 200,
      body: { resendAfterSeconds: 30, expiresInSeconds: 600 },
    })
  })

  it('is in the answer where it is to be shown', async () => {
    expect(await askForCode('on')).toMatchObject({
      status: 200,
      body: { demoCode: expect.stringMatching(/^\d{6}$/) },
    })
  })
})
