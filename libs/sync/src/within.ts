import type { SyncClock } from './ports.ts'

/**
 * Aborts a call after `timeoutMs` and rejects with an error without status, as for a call without an answer, so that a
 * hanging request does not block the queue behind it.
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
