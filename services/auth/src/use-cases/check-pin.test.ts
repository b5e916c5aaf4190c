import { systemClock } from '@sumlock/service-kit/clock'
import type { Context } from '../context.ts'
import { createHashQueue } from '../domain/hash-queue.ts'
import { checkPinExplicitly, checkPinSoftly } from './check-pin.ts'

const entry = { userId: 'u', sessionId: 's', pin: '1357' }

/** A context whose one turn at hashing is taken, and that counts what a try costs. */
function busyContext() {
  const queue = createHashQueue({ concurrency: 1, capacity: 0 })
  let finish: () => void = () => undefined
  const busy = queue.run(() => new Promise<void>((resolve) => (finish = resolve)))
  let tries = 0
  const take = () => Promise.resolve(void (tries += 1))
  const ctx = {
    clock: systemClock(),
    inTurn: queue.run,
    users: { takeExplicitTry: take, takeSoftTry: take },
  } as unknown as Context
  return { ctx, tries: () => tries, free: () => (finish(), busy) }
}

describe.each([
  ['explicit', checkPinExplicitly],
  ['silent', checkPinSoftly],
])('an %s entry', (_, check) => {
  it('that a full hash queue turns away costs no try', async () => {
    const { ctx, tries, free } = busyContext()
    await expect(check(ctx, entry)).rejects.toMatchObject({ kind: 'rate-limited' })
    expect(tries()).toBe(0)
    await free()
  })
})

describe('the hundredth wrong entry in password mode', () => {
  /** A context in which so many tries failed before; an entry is wrong unless it is `right`. */
  function contextAfter(failures: number, right = '') {
    let count = failures
    const announced: unknown[] = []
    const revoked: string[] = []
    const ctx = {
      clock: systemClock(),
      inTurn: createHashQueue().run,
      compare: (secret: string) => Promise.resolve(secret === right),
      pinSecret: (_user: string, pin: string) => pin,
      users: {
        takeExplicitTry: () => Promise.resolve({ explicitFailures: (count += 1), pinHash: 'hash' }),
        clearExplicitTries: () => Promise.resolve(void (count = 0)),
      },
      sessions: { revoke: (id: string) => Promise.resolve(revoked.push(id)) },
      announce: (message: unknown) => announced.push(message),
    } as unknown as Context
    return { ctx, revoked, announced }
  }

  it('ends the session everywhere, and says no more than the others', async () => {
    const { ctx, revoked, announced } = contextAfter(98)
    const ninetyNinth = await checkPinExplicitly(ctx, entry).catch((error: unknown) => error)
    expect(revoked).toEqual([])
    const hundredth = await checkPinExplicitly(ctx, entry).catch((error: unknown) => error)
    expect(revoked).toEqual(['s'])
    expect(announced).toEqual([{ sid: 's', userId: 'u', reason: 'revoked' }])
    expect(hundredth).toEqual(ninetyNinth)
    expect(hundredth).toMatchObject({ code: 'wrong_pin' })
  })

  it('is no matter when it is right', async () => {
    const { ctx, revoked } = contextAfter(99, entry.pin)
    await checkPinExplicitly(ctx, entry)
    expect(revoked).toEqual([])
  })
})
