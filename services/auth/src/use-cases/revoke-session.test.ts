import { systemClock } from '@sumlock/service-kit/clock'
import type { Context } from '../context.ts'
import { finishRevoking } from './revoke-session.ts'

it('a changed password also ends a session that opened while it was stored, but not the one that changed it', async () => {
  const told: string[] = []
  const alive = ['own', 'late']
  const ctx = {
    clock: systemClock(),
    security: { note: () => undefined },
    sessions: {
      stamp: () => Promise.resolve(),
      othersOf: () => Promise.resolve(alive.map((_id) => ({ _id }))),
      revoke: () => Promise.resolve(true),
    },
    publishInvalidation: ({ sid }: { sid: string }) => told.push(sid),
  } as unknown as Context
  await finishRevoking(ctx, 'ann', ['first'], ['own'])
  expect(told).toEqual(['first', 'late'])
})
