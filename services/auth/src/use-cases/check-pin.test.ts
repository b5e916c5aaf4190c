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
    keepTurn: queue.admit,
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
