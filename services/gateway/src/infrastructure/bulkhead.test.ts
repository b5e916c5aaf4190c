import type { Permit } from '@sumlock/service-kit/semaphore'
import { createBulkhead, createTargets } from './bulkhead.ts'
import type { Bulkhead } from './bulkhead.ts'

const soonMs = 20
const neverMs = 60_000

/** Requests a permit; `permit` is undefined while queued, and null after the timeout. */
function caller(bulkhead: Bulkhead, timeoutMs = neverMs) {
  const caller = { permit: undefined as Permit | null | undefined, done: Promise.resolve() }
  caller.done = bulkhead.acquire({ timeoutMs }).then((permit) => void (caller.permit = permit))
  return caller
}

const settled = () => new Promise(setImmediate)

describe('requests with a preference', () => {
  const conversations = Array.from({ length: 400 }, (_, index) => `conversation ${index}`)
  const firstOf = (urls: string[], conversation: string) => createTargets(urls).inOrder(conversation)[0]
  const replicas = ['http://10.0.0.1:80', 'http://10.0.0.2:80', 'http://10.0.0.3:80', 'http://10.0.0.4:80']

  it('take the same replica each time, in every gateway and in any order of the list', () => {
    const targets = createTargets(replicas)
    for (const conversation of conversations) {
      const first = firstOf(replicas, conversation)
      expect(targets.inOrder(conversation)[0]).toBe(first)
      targets.inOrder()
      expect(targets.inOrder(conversation)[0]).toBe(first)
      expect(firstOf(replicas.toReversed(), conversation)).toBe(first)
    }
  })

  it('spread over all replicas', () => {
    const shares = Map.groupBy(conversations, (conversation) => firstOf(replicas, conversation))
    for (const url of replicas) expect(shares.get(url)?.length).toBeGreaterThan(60)
  })

  it('move only where their replica is gone or down, and come back', () => {
    const [gone = '', ...others] = replicas
    const targets = createTargets(replicas)
    const before = conversations.map((conversation) => firstOf(replicas, conversation))
    targets.reportDown(gone)
    conversations.forEach((conversation, index) => {
      const now = targets.inOrder(conversation)[0]
      expect(now).toBe(firstOf(others, conversation))
      expect(now).not.toBe(gone)
      if (before[index] !== gone) expect(now).toBe(before[index])
    })
    expect(before.filter((url) => url === gone).length).toBeGreaterThan(60)
  })

  it('take another replica when theirs has no permit left', async () => {
    const bulkhead = createBulkhead(createTargets(['a', 'b']), 1)
    const ask = () => bulkhead.acquire({ timeoutMs: neverMs, preference: 'one' })
    const slots = [await ask(), await ask()].map((permit) => permit?.target)
    expect(slots.toSorted()).toEqual(['a', 'b'])
    expect(slots[0]).toBe(firstOf(['a', 'b'], 'one'))
  })
})

describe('the bulkhead', () => {
  it('grants each replica its permits in rotation', async () => {
    const bulkhead = createBulkhead(createTargets(['a', 'b']), 2)
    const permits = await Promise.all(
      Array.from({ length: 4 }, () => bulkhead.acquire({ timeoutMs: neverMs })),
    )
    expect(permits.map((permit) => permit?.target)).toEqual(['a', 'b', 'a', 'b'])
    const fifth = caller(bulkhead)
    await settled()
    expect(fifth.permit).toBeUndefined()
    permits[1]?.release()
    await fifth.done
    expect(fifth.permit?.target).toBe('b')
  })

  it('grants released permits in FIFO order', async () => {
    const bulkhead = createBulkhead(createTargets(['a']), 1)
    const running = await bulkhead.acquire({ timeoutMs: neverMs })
    const [first, second] = [caller(bulkhead), caller(bulkhead)]
    running?.release()
    // A caller that comes while a permit is free queues behind the others, too.
    const third = caller(bulkhead)
    await settled()
    expect(first.permit?.target).toBe('a')
    expect(second.permit).toBeUndefined()
    first.permit?.release()
    await settled()
    expect(second.permit?.target).toBe('a')
    expect(third.permit).toBeUndefined()
    second.permit?.release()
    await third.done
    expect(third.permit?.target).toBe('a')
  })

  it('counts a permit that is released twice once', async () => {
    const bulkhead = createBulkhead(createTargets(['a']), 1)
    const permit = await bulkhead.acquire({ timeoutMs: neverMs })
    permit?.release()
    permit?.release()
    const [next, afterNext] = [caller(bulkhead), caller(bulkhead)]
    await settled()
    expect(next.permit?.target).toBe('a')
    expect(afterNext.permit).toBeUndefined()
    next.permit?.release()
    await afterNext.done
  })

  it('answers null after the timeout and keeps the permit for the next caller', async () => {
    const bulkhead = createBulkhead(createTargets(['a']), 1)
    const running = await bulkhead.acquire({ timeoutMs: neverMs })
    const [impatient, patient] = [caller(bulkhead, soonMs), caller(bulkhead)]
    await impatient.done
    expect(impatient.permit).toBeNull()
    expect(patient.permit).toBeUndefined()
    running?.release()
    await patient.done
    expect(patient.permit?.target).toBe('a')
  })

  it('queues for a busy replica while the other one is stopping, and uses any when all are stopping', async () => {
    const targets = createTargets(['a', 'b'])
    const bulkhead = createBulkhead(targets, 1)
    targets.reportStopping('b')
    const running = await bulkhead.acquire({ timeoutMs: neverMs })
    expect(running?.target).toBe('a')
    const waiting = caller(bulkhead)
    await settled()
    expect(waiting.permit).toBeUndefined()
    targets.reportStopping('a')
    running?.release()
    await waiting.done
    expect(['a', 'b']).toContain(waiting.permit?.target)
  })
})
