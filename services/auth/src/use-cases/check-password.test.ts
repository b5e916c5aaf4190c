import { systemClock } from '@sumlock/service-kit/clock'
import type { Context } from '../context.ts'
import { createHashQueue } from '../domain/hash-queue.ts'
import { checkPassword } from './check-password.ts'

it('counts no try of a sign-in that a full queue turns away', async () => {
  const queue = createHashQueue({ concurrency: 1, capacity: 0 })
  let finish: () => void = () => undefined
  const busy = queue.run(() => new Promise<void>((resolve) => (finish = resolve)))
  let tries = 0
  const ctx = {
    clock: systemClock(),
    inTurn: queue.run,
    signInAttempts: { take: () => Promise.resolve({ pausedUntil: null, count: (tries += 1) }) },
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
