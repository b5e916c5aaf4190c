import { setTimeout as wait } from 'node:timers/promises'

/**
 * Calls `fire` at a fixed rate, whatever became of the earlier calls: somebody who types does not wait for others.
 * Each call is told when it was due, so that a generator that comes late counts against the result, not for it.
 */
export async function openModel(
  { ratePerSecond, seconds }: { ratePerSecond: number; seconds: number },
  fire: (dueAtMs: number) => void,
): Promise<void> {
  const startedAt = performance.now()
  const count = Math.round(ratePerSecond * seconds)
  for (let fired = 0; fired < count;) {
    const now = performance.now()
    for (; fired < count; fired += 1) {
      const dueAtMs = startedAt + (fired * 1000) / ratePerSecond
      if (dueAtMs > now) break
      fire(dueAtMs)
    }
    await wait(1)
  }
}
