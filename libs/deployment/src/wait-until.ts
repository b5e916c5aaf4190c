import { setTimeout as wait } from 'node:timers/promises'

export interface WaitOptions {
  timeoutMs?: number
  everyMs?: number
  /** May throw to stop the waiting, for example because the other process has ended. */
  giveUp?: () => void
}

/**
 * Calls `ready` repeatedly until it returns a value other than false, null and undefined. An error of `ready` counts
 * as "not yet". Rejects after `timeoutMs` (30 s) with the name of the condition and the last error.
 */
export async function waitUntil<T>(
  what: string,
  ready: () => Promise<T> | T,
  { timeoutMs = 30_000, everyMs = 50, giveUp }: WaitOptions = {},
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + timeoutMs
  let lastError: unknown
  for (;;) {
    try {
      const value = await ready()
      if (value !== false && value !== null && value !== undefined)
        return value as Exclude<T, false | null | undefined>
    } catch (error) {
      lastError = error
    }
    giveUp?.()
    if (performance.now() > deadline) {
      throw new Error(`${what} did not happen within ${timeoutMs / 1000} s`, { cause: lastError })
    }
    await wait(everyMs)
  }
}
