import { systemClock } from '@sumlock/service-kit/clock'
import type { Context } from '../context.ts'
import { createHashQueue } from '../infrastructure/hash-queue.ts'
import { checkPassword } from './check-password.ts'

it('does not count a sign-in that the full hash queue refuses', async () => {
  const queue = createHashQueue({ concurrency: 1, capacity: 0 })
  let finish: () => void = () => undefined
  const busy = queue.run(() => new Promise<void>((resolve) => (finish = resolve)))
  let tries = 0
  const ctx = {
    clock: systemClock(),
    limitHashing: queue.run,
    signInAttempts: {
      pausedUntil: () => Promise.resolve(null),
      take: () => Promise.resolve({ pausedUntil: null, count: (tries += 1) }),
    },
    passwords: { matches: () => Promise.resolve(false) },
  } as unknown as Context
  const entry = { username: 'ann', user: null, password: 'a guess', knownSessionId: null }
  await expect(checkPassword(ctx, entry)).rejects.toMatchObject({ kind: 'rate-limited' })
  expect(tries).toBe(0)
  finish()
  await busy
  await expect(checkPassword(ctx, entry)).rejects.toMatchObject({ code: 'wrong_credentials' })
  expect(tries).toBe(1)
})

it('refuses a paused sign-in before it enters the hash queue', async () => {
  let queued = 0
  const ctx = {
    clock: systemClock(),
    limitHashing: () => Promise.reject(new Error(`queued ${(queued += 1)}`)),
    signInAttempts: { pausedUntil: (_id: string, now: Date) => Promise.resolve(new Date(+now + 30_000)) },
  } as unknown as Context
  const entry = { username: 'ann', user: null, password: 'a guess', knownSessionId: null }
  await expect(checkPassword(ctx, entry)).rejects.toThrow('try again in 30 seconds')
  expect(queued).toBe(0)
})
