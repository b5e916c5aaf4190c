import { setTimeout as wait } from 'node:timers/promises'

/**
 * Repeats assertions about another process until they hold, and returns their result. After `timeoutMs`, it throws the
 * last failure unchanged, so that the report shows the difference.
 */
export async function eventually<T>(
  check: () => Promise<T> | T,
  { timeoutMs = 30_000, everyMs = 25 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      return await check()
    } catch (failure) {
      if (performance.now() > deadline) throw failure
    }
    await wait(everyMs)
  }
}
