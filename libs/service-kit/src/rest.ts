import { setTimeout as wait } from 'node:timers/promises'

/** Resolves after `ms` milliseconds, or as soon as `stopping` is aborted. Does not keep the process alive. */
export async function rest(ms: number, stopping: AbortSignal | undefined): Promise<void> {
  await wait(ms, undefined, { ref: false, ...(stopping && { signal: stopping }) }).catch(() => undefined)
}
