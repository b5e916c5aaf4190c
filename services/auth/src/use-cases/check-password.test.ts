import { systemClock } from '@sumlock/service-kit/clock'
import type { Context } from '../context.ts'
import type { User } from '../domain/user.ts'
import { createHashQueue } from '../infrastructure/hash-queue.ts'
import { checkPassword } from './check-password.ts'

it('does not count a sign-in that the full hash queue refuses', async () => {
  const queue = createHashQueue({ concurrency: 1, capacity: 0 })
  let finish: () => void = () => undefined
  const busy = queue.run(() => new Promise<void>((resolve) => (finish = resolve)))
  let tries = 0
  const ctx = {
    clock: systemClock(),
    security: { note: () => undefined },
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
    security: { note: () => undefined },
    limitHashing: () => Promise.reject(new Error(`queued ${(queued += 1)}`)),
    signInAttempts: { pausedUntil: (_id: string, now: Date) => Promise.resolve(new Date(+now + 30_000)) },
  } as unknown as Context
  const entry = { username: 'ann', user: null, password: 'a guess', knownSessionId: null }
  await expect(checkPassword(ctx, entry)).rejects.toThrow('try again in 30 seconds')
  expect(queued).toBe(0)
})

describe('a sign-in', () => {
  /** Checks a password; returns the outcome and the calls to the stores. */
  const check = async ({ isKnown = true, isRight = true, isOutdated = false }) => {
    const calls: unknown[][] = []
    const call = (...made: unknown[]) => Promise.resolve(void calls.push(made))
    const user = { passwordHash: 'old' } as User
    const ctx = {
      clock: systemClock(),
      security: { note: (event: string) => void calls.push([event]) },
      limitHashing: (task: () => Promise<unknown>) => task(),
      background: { run: (name: string) => void calls.push([name]) },
      signInAttempts: {
        pausedUntil: () => Promise.resolve(null),
        take: () => Promise.resolve({ pausedUntil: null }),
        clear: () => call('clear'),
      },
      passwords: {
        matches: () => Promise.resolve(isRight),
        isOutdated: () => isOutdated,
        hash: () => Promise.resolve('new'),
      },
      users: { replacePasswordHash: (_user: User, hash: string) => call('replace', hash) },
    } as unknown as Context
    const entry = { username: 'ann', user: isKnown ? user : null, password: 'p', knownSessionId: null }
    const outcome = await checkPassword(ctx, entry).catch((error: unknown) => error)
    return { outcome, calls, user }
  }

  it('with the right password returns the user and clears the count of wrong ones', async () => {
    const { outcome, calls, user } = await check({})
    expect(outcome).toBe(user)
    expect(calls).toEqual([['clear']])
  })

  it('with the right password replaces an outdated hash', async () => {
    expect((await check({ isOutdated: true })).calls).toEqual([['clear'], ['replace', 'new']])
  })

  it.each([
    ['a wrong password', { isRight: false }],
    ['an unknown username', { isKnown: false }],
  ])('with %s is refused and stays counted', async (_, account) => {
    const { outcome, calls } = await check(account)
    expect(outcome).toMatchObject({ code: 'wrong_credentials' })
    // The owner of an account is notified of guesses; a free name has no owner.
    expect(calls).toEqual([
      ...('isKnown' in account ? [] : [['counting a wrong password']]),
      ['wrong-password'],
    ])
  })
})
