import type { SyncClock } from './ports.ts'

/**
 * Gives a call `timeoutMs` to answer; then aborts it and rejects with an error without status, as if nobody had
 * answered. Without it one request that hangs would hold up everything behind it.
 */
export async function within<T>(
  clock: SyncClock,
  timeoutMs: number,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  let timer: unknown
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = clock.setTimeout(() => {
      reject(new Error('No answer in time.'))
      controller.abort()
    }, timeoutMs)
  })
  try {
    return await Promise.race([call(controller.signal), tooLate])
  } finally {
    clock.clearTimeout(timer)
  }
}
