import { randomUUID } from 'node:crypto'
import { systemClock } from '@sumlock/service-kit/clock'
import type { Context } from '../context.ts'
import type { User } from '../domain/user.ts'
import { requestChangeNotice } from './request-notice.ts'

it.each(['password-changed', 'app-reset'] as const)(
  'sends the mail %s five times an hour to an account, and nothing beyond',
  async (template) => {
    const asked: unknown[] = []
    const events: unknown[] = []
    const ctx = {
      clock: systemClock(),
      config: { NOTICE_KEY_ID: 'auth-1', NOTICE_KEY: Buffer.alloc(32) },
      codeMac: (kind: string, userId: string) => `${kind} ${userId}`,
      sendLimits: {
        take: (counter: string, perHour: number) =>
          Promise.resolve(asked.push(counter) <= perHour ? 0 : 1000),
      },
      outbox: { add: (_session: unknown, event: unknown) => Promise.resolve(events.push(event)) },
    } as unknown as Context
    const user = {
      _id: randomUUID(),
      email: 'ada@example.com',
      fullName: 'Ada',
      isEmailVerified: true,
    } as User
    for (let count = 0; count < 7; count += 1) await requestChangeNotice(ctx, {} as never, user, template)
    expect(events).toHaveLength(5)
    expect(asked).toEqual(Array(7).fill(`${template} ${user._id}`))
  },
)
