import { TransferError, isWorthRetrying } from './put-file.ts'
import type { Media } from './media.ts'

/**
 * The first retry follows after the first pause, the second after the second, and so on; the last pause is repeated.
 */
const pausesMs = [0, 1000, 3000, 5000]
const maxRetries = 10
/** Without a connection, a transfer is tried after this time all the same, because the report may be wrong. */
const triesAfterMs = 30_000

export interface RetryOptions {
  /** Without it, only the browser tells whether there is a connection. */
  loss: Media['loss'] | undefined
  signal: AbortSignal
}

/**
 * Repeats a transfer that failed for a temporary reason. It waits for a lost connection, and such a failure does not
 * count. Rejects with the last failure or the signal's reason.
 */
export async function retrying<T>(step: () => Promise<T>, { loss, signal }: RetryOptions): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await step()
    } catch (error) {
      const isFinal = !(error instanceof TransferError) || !isWorthRetrying(error) || retries === maxRetries
      if (isFinal) throw error
      await pause(pausesMs[Math.min(retries, pausesMs.length - 1)] as number, signal)
      if (error.status !== 0 || isConnected(loss)) continue
      retries -= 1
      await untilConnected({ loss, signal })
    }
  }
}

/** Runs a step, and runs it again if it failed without a connection. Rejects as the step does. */
export async function onceConnected<T>(step: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { loss } = options
  for (;;) {
    try {
      return await step()
    } catch (error) {
      if (isConnected(loss)) throw error
      await untilConnected(options)
    }
  }
}

const isConnected = (loss: RetryOptions['loss']) => navigator.onLine && loss?.isLasting !== true

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

function untilConnected({ loss, signal }: RetryOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', look)
      signal.removeEventListener('abort', stop)
      unsubscribe?.()
      resolve()
    }
    const look = () => {
      if (isConnected(loss)) end()
    }
    const stop = () => {
      reject(signal.reason as Error)
      end()
    }
    const unsubscribe = loss?.subscribe(look)
    const timer = setTimeout(end, triesAfterMs)
    window.addEventListener('online', look)
    signal.addEventListener('abort', stop)
  })
}
