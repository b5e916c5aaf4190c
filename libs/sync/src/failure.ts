import type { SyncFailure } from './ports.ts'

/** Reads the fields of an error with which a call of SyncApi rejected. Missing fields become null. */
export function toFailure(error: unknown): SyncFailure {
  const { status, code, message, resetsAt, retryAfterMs } = (error ?? {}) as Record<string, unknown>
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  const number = (value: unknown) => (typeof value === 'number' ? value : null)
  return {
    status: number(status),
    code: text(code),
    message: text(message) ?? 'Something went wrong.',
    resetsAt: text(resetsAt),
    retryAfterMs: number(retryAfterMs),
  }
}

/**
 * After a failed call, the engine retries, waits until the session is usable again, or gives up until the person
 * acts.
 */
export type Remedy = 'retry' | 'wait-for-session' | 'give-up'

/** Chooses the reaction to a failure. After a CSRF refusal the next attempt fetches a new token. */
export function remedyOf({ status, code }: SyncFailure): Remedy {
  if (status === null || status >= 500 || status === 408 || status === 425 || status === 429) return 'retry'
  if (code === 'csrf_failed') return 'retry'
  if (status === 401 || status === 423) return 'wait-for-session'
  return 'give-up'
}
