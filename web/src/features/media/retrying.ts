import { TransferError, isWorthRetrying } from './put-file.ts'

/**
 * The first retry follows after the first pause, the second after the second, and so on; the last pause is repeated.
 */
const pausesMs = [0, 1000, 3000, 5000]
const maxRetries = 10

/**
 * Repeats a transfer that failed for a temporary reason, once the device is online. Rejects with the last failure or
 * the signal's reason.
 */
export async function retrying<T>(step: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await step()
    } catch (error) {
      const isFinal = !(error instanceof TransferError) || !isWorthRetrying(error) || retries === maxRetries
      if (isFinal) throw error
      await pause(pausesMs[Math.min(retries, pausesMs.length - 1)] as number, signal)
      await untilOnline(signal)
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}

function untilOnline(signal: AbortSignal): Promise<void> {
  if (navigator.onLine) return Promise.resolve()
  return new Promise((resolve, reject) => {
    window.addEventListener('online', () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
