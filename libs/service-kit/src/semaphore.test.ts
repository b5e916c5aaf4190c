import { getEventListeners } from 'node:events'
import { createSemaphore } from './semaphore.ts'
import type { AcquireOptions, Permit, Semaphore } from './semaphore.ts'

const never = { timeoutMs: 60_000 }
const settled = () => new Promise(setImmediate)

/** A caller with its outcome so far: undefined while it waits. */
function caller(semaphore: Semaphore, options: AcquireOptions = never) {
  const state = { permit: undefined as Permit | null | undefined, done: Promise.resolve() }
  state.done = semaphore.acquire(options).then((permit) => void (state.permit = permit))
  return state
}

describe('a semaphore', () => {
  it('grants its permits at once and queues the callers beyond them in FIFO order', async () => {
    const semaphore = createSemaphore({ permits: 2 })
    const held = [await semaphore.acquire(never), await semaphore.acquire(never)]
    const [first, second] = [caller(semaphore), caller(semaphore)]
    expect(semaphore.queued).toBe(2)
    held[1]?.release()
    const third = caller(semaphore)
    await settled()
    expect(first.permit).toBeTruthy()
    expect(second.permit).toBeUndefined()
    first.permit?.release()
    await settled()
    expect(second.permit).toBeTruthy()
    expect(third.permit).toBeUndefined()
    second.permit?.release()
    await third.done
    expect(third.permit).toBeTruthy()
  })

  it('reports to a caller that no permit is free, and then grants it the released one', async () => {
    const semaphore = createSemaphore({ permits: 1 })
    let queued = 0
    const held = await semaphore.acquire({ ...never, onQueued: () => (queued += 1) })
    expect(queued).toBe(0)
    expect(await semaphore.acquire({ ...never, onQueued: () => held?.release() })).toBeTruthy()
  })

  it('refuses tryAcquire while callers are queued, even with a free target', async () => {
    let open = ['a']
    const semaphore = createSemaphore({ permits: 1, targets: () => open })
    const held = semaphore.tryAcquire()
    expect(semaphore.tryAcquire()).toBeUndefined()
    const waiting = caller(semaphore)
    open = ['a', 'b']
    expect(semaphore.tryAcquire()).toBeUndefined()
    held?.release()
    await waiting.done
    expect(waiting.permit).toBeTruthy()
  })

  it('accepts the release of a permit only once', async () => {
    const semaphore = createSemaphore({ permits: 2 })
    const permit = await semaphore.acquire(never)
    expect(await semaphore.acquire(never)).toBeTruthy()
    permit?.release()
    permit?.release()
    const [first, second] = [caller(semaphore), caller(semaphore)]
    await settled()
    expect(first.permit).toBeTruthy()
    expect(second.permit).toBeUndefined()
    first.permit?.release()
    await second.done
  })

  it('answers null after the time-out, and the permit goes to the next caller', async () => {
    const semaphore = createSemaphore({ permits: 1 })
    const held = await semaphore.acquire(never)
    const [brief, lasting] = [caller(semaphore, { timeoutMs: 20 }), caller(semaphore)]
    await brief.done
    expect(brief.permit).toBeNull()
    expect(lasting.permit).toBeUndefined()
    held?.release()
    await lasting.done
    expect(lasting.permit).toBeTruthy()
  })

  it('refuses at once when the queue is full, and queues nothing when a permit is free', async () => {
    const semaphore = createSemaphore({ permits: 1 })
    const held = await semaphore.acquire({ ...never, maxQueued: 0 })
    expect(held).toBeTruthy()
    expect(await semaphore.acquire({ ...never, maxQueued: 0 })).toBeNull()
    const queued = caller(semaphore, { ...never, maxQueued: 1 })
    expect(await semaphore.acquire({ ...never, maxQueued: 1 })).toBeNull()
    held?.release()
    await queued.done
    expect(queued.permit).toBeTruthy()
  })

  it('leaves the queue on an abort, without taking a permit', async () => {
    const semaphore = createSemaphore({ permits: 1 })
    const held = await semaphore.acquire(never)
    const gone = new AbortController()
    const aborted = caller(semaphore, { ...never, signal: gone.signal })
    const next = caller(semaphore)
    gone.abort()
    await aborted.done
    expect(aborted.permit).toBeNull()
    held?.release()
    await next.done
    expect(next.permit).toBeTruthy()
  })

  it('releases the permit of a caller that aborts while it holds it', async () => {
    const semaphore = createSemaphore({ permits: 1 })
    const gone = new AbortController()
    expect(await semaphore.acquire({ ...never, signal: gone.signal })).toBeTruthy()
    const next = caller(semaphore)
    gone.abort()
    await next.done
    expect(next.permit).toBeTruthy()
    expect(await semaphore.acquire({ timeoutMs: 10, signal: gone.signal })).toBeNull()
  })

  it('leaves no timer and no listener behind when a permit from the queue was released', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
    const semaphore = createSemaphore({ permits: 1 })
    const held = await semaphore.acquire(never)
    const { signal } = new AbortController()
    const before = timers()
    const waiting = caller(semaphore, { ...never, signal })
    held?.release()
    await waiting.done
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    waiting.permit?.release()
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    expect(timers()).toBeLessThanOrEqual(before)
  })

  it('has permits per target, and tries the targets in the given order', async () => {
    const semaphore = createSemaphore({ permits: 2, targets: () => ['a', 'b'] })
    const held = await Promise.all(Array.from({ length: 4 }, () => semaphore.acquire(never)))
    expect(held.map((permit) => permit?.target)).toEqual(['a', 'a', 'b', 'b'])
    const waiting = caller(semaphore)
    held[2]?.release()
    await waiting.done
    expect(waiting.permit?.target).toBe('b')
  })

  it('serves the queue from a target that is available again', async () => {
    let open = ['a']
    const semaphore = createSemaphore({ permits: 1, targets: () => open })
    await semaphore.acquire(never)
    const first = caller(semaphore)
    open = ['a', 'b']
    const second = caller(semaphore)
    await first.done
    expect(first.permit?.target).toBe('b')
    expect(second.permit).toBeUndefined()
    first.permit?.release()
    await second.done
  })
})
