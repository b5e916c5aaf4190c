import { systemClock } from '@sumlock/service-kit/clock'
import { createLogger } from '@sumlock/service-kit/logger'
import { noDatabase } from '@sumlock/testing/no-database'
import type { Context } from '../context.ts'
import type { User } from '../domain/user.ts'
import { createBackgroundWork } from '../infrastructure/background-work.ts'
import { requestPasswordReset } from './request-password-reset.ts'

const logger = createLogger({ service: 'auth', instance: 'test', level: 'silent' })

/** Requests a reset; returns the calls to the stores until the answer, and all of them once the work has ended. */
async function request({ user, waitMs = 0 }: { user: User | null; waitMs?: number }) {
  const calls: string[] = []
  const call =
    <T>(name: string, answer: T) =>
    () =>
      Promise.resolve(calls.push(name)).then(() => answer)
  const background = createBackgroundWork(logger)
  const ctx = {
    clock: systemClock(),
    config: { PUBLIC_ORIGINS: ['https://a.example'], NOTICE_KEY_ID: 'a', NOTICE_KEY: Buffer.alloc(32) },
    codeMac: () => 'mac',
    background,
    sendLimits: { take: call('count', waitMs) },
    users: { byEmailKey: call('find the account', user) },
    mailLinks: { add: call('store a link', undefined) },
    connection: noDatabase(),
    outbox: { add: call('request a mail', undefined), kick: () => undefined },
  } as unknown as Context
  await requestPasswordReset(ctx, { email: 'Ann@example.com' })
  const untilAnswer = [...calls]
  await background.settled()
  return { untilAnswer, all: calls }
}
const ann = { _id: 'ann', email: 'ann@example.com', emailKey: 'ann@example.com', fullName: 'Ann' } as User

it('a reset request does the same work until its answer for an address with an account and for one without', async () => {
  const known = await request({ user: ann })
  const unknown = await request({ user: null })
  expect(known.untilAnswer).toEqual(['count'])
  expect(unknown.untilAnswer).toEqual(known.untilAnswer)
  expect(known.all).toEqual(['count', 'find the account', 'store a link', 'request a mail'])
  expect(unknown.all).toEqual(['count', 'find the account'])
})

it('a reset request beyond the limit of its address is answered and looks for no account', async () => {
  const { untilAnswer, all } = await request({ user: ann, waitMs: 1000 })
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
