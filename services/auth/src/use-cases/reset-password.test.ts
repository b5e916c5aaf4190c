import { systemClock } from '@sumlock/service-kit/clock'
import { noDatabase } from '@sumlock/testing/no-database'
import type { Context } from '../context.ts'
import type { User } from '../domain/user.ts'
import { resetPassword } from './reset-password.ts'

const ann = {
  _id: 'ann',
  username: 'ann',
  email: 'ann@example.com',
  fullName: 'Ann',
  isEmailVerified: true,
} as User

/** Resets a password; `lateSessions` are found only after the transaction. Returns the calls with an effect, in order. */
async function reset({ isValid = true, lateSessions = [] as string[] }) {
  const calls: string[] = []
  const call = <T>(name: string, answer: T) => Promise.resolve(calls.push(name)).then(() => answer)
  const ctx = {
    clock: systemClock(),
    config: { NOTICE_KEY_ID: 'a', NOTICE_KEY: Buffer.alloc(32) },
    codeMac: () => 'mac',
    limitHashing: (work: () => Promise<unknown>) => work(),
    passwords: { hash: () => call('hash', 'hash') },
    mailLinks: {
      isValid: () => Promise.resolve(isValid),
      consume: () => call('use the link up', { userId: 'ann' }),
      removeOfKind: () => call('end the other links', undefined),
    },
    users: { changePassword: () => call('change the password', ann) },
    sessions: {
      revokeAll: () => call('end all sessions', ['first']),
      stamp: (ids: readonly string[]) => call(`list ${ids.join()} as ended`, undefined),
      othersOf: () => Promise.resolve(lateSessions.map((_id) => ({ _id }))),
      revoke: (id: string) => call(`end ${id}`, true),
    },
    pendingResets: { cancel: () => call('cancel a waiting reset', undefined) },
    security: { note: () => undefined },
    sendLimits: { take: () => Promise.resolve(0) },
    signInAttempts: { clear: () => Promise.resolve() },
    connection: noDatabase(() => calls.push('commit')),
    outbox: { add: () => call('request a mail', undefined), kick: () => undefined },
    publishInvalidation: ({ sid }: { sid: string }) => calls.push(`tell gateways of ${sid}`),
  } as unknown as Context
  const outcome = await resetPassword(ctx, { token: 'token', newPassword: 'another horse' }).catch(
    (error: unknown) => error,
  )
  return { outcome, calls }
}

it('a reset changes the password, ends the sessions and requests the mail before it commits, then tells the gateways', async () => {
  expect((await reset({})).calls).toEqual([
    'hash',
    'use the link up',
    'change the password',
    'end the other links',
    'end all sessions',
    'cancel a waiting reset',
    'request a mail',
    'commit',
    'list first as ended',
    'tell gateways of first',
  ])
})

it('a reset ends a session that a sign-in with the old password opened while it ran', async () => {
  const { calls } = await reset({ lateSessions: ['late'] })
  expect(calls.slice(calls.indexOf('commit'))).toEqual(
    expect.arrayContaining(['end late', 'tell gateways of late']),
  )
})

it('a reset with an invented token costs no hash and changes nothing', async () => {
  const { outcome, calls } = await reset({ isValid: false })
  expect(outcome).toMatchObject({ code: 'link_invalid' })
  expect(calls).toEqual([])
})
