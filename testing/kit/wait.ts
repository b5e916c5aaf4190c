import { setTimeout as wait } from 'node:timers/promises'

/**
 * Repeats assertions about something that happens in another process until they hold, and answers with their result.
 * After `timeoutMs` (30 s) the last failure is thrown as it is, so that the report shows what was different.
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
