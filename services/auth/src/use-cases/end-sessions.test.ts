import { limits } from '@sumlock/contracts/limits'
import { systemClock } from '@sumlock/service-kit/clock'
import type { Context } from '../context.ts'
import type { Session } from '../domain/user.ts'
import { endSurplus } from './end-sessions.ts'

it('a sign-in ends no session in which the number was right after the sessions were read', async () => {
  const ended: string[] = []
  const others = Array.from({ length: limits.sessionsPerPerson }, (_, index) => ({ _id: `s${index}` }))
  const unlockedMeanwhile = others.at(-1)?._id
  const ctx = {
    clock: systemClock(),
    security: { note: () => undefined },
    sessions: {
      othersOf: () => Promise.resolve(others),
      revoke: (id: string) => Promise.resolve(ended.push(id) > 0),
      revokeWithoutPin: (id: string) => Promise.resolve(id !== unlockedMeanwhile && ended.push(id) > 0),
    },
    publishInvalidation: () => undefined,
  } as unknown as Context
  await endSurplus(ctx, { _id: 'ann', pinMac: 'set' }, { _id: 'new' } as Session)
  expect(ended).toEqual([])
})
