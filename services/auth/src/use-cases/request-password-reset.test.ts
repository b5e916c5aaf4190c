import { systemClock } from '@sumlock/service-kit/clock'
import { createLogger } from '@sumlock/service-kit/logger'
import type { Context } from '../context.ts'
import type { MailRequest } from '../domain/mail-request.ts'
import { createBackgroundWork } from '../infrastructure/background-work.ts'
import { requestPasswordReset } from './request-password-reset.ts'

const logger = createLogger({ service: 'auth', instance: 'test', level: 'silent' })

/** Requests a reset; returns the calls to the stores until the answer, and all of them once the work has ended. */
async function request({ waitMs = 0 } = {}) {
  const calls: string[] = []
  const stored: MailRequest[] = []
  const background = createBackgroundWork(logger)
  const ctx = {
    clock: systemClock(),
    codeMac: () => 'mac',
    background,
    sendLimits: { take: () => Promise.resolve(calls.push('count')).then(() => waitMs) },
    mailRequests: {
      add: (one: MailRequest) =>
        Promise.resolve(calls.push('store the request')).then(() => stored.push(one)),
      claim: () => Promise.resolve(calls.push('look for requests')).then(() => null),
    },
  } as unknown as Context
  await requestPasswordReset(ctx, { email: 'Ann@example.com' })
  const untilAnswer = [...calls]
  await background.settled()
  return { untilAnswer, all: calls, stored }
}

it('a reset request only stores itself before its answer, and looks for no account', async () => {
  const { untilAnswer, all, stored } = await request()
  expect(untilAnswer).toEqual(['count', 'store the request'])
  expect(all).toEqual(['count', 'store the request', 'look for requests'])
  expect(stored).toMatchObject([
    { kind: 'reset-password', email: 'Ann@example.com', emailKey: 'ann@example.com' },
  ])
  expect(stored[0]).not.toHaveProperty('userId')
})

it('a reset request beyond the limit of its address is answered alike and not stored', async () => {
  const { untilAnswer, all } = await request({ waitMs: 1000 })
  expect(untilAnswer).toEqual(['count'])
  expect(all).toEqual(['count'])
})

it('work after an answer that fails is logged and does not stop the process', async () => {
  const warnings: unknown[] = []
  const background = createBackgroundWork({ warn: (fields: unknown) => warnings.push(fields) } as never)
  background.run('a mail', () => Promise.reject(new Error('away')))
  await background.settled()
  expect(warnings).toMatchObject([{ name: 'a mail', err: { message: 'away' } }])
})
