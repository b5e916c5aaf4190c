export type Channel = 'mail' | 'sms'

export interface Delivery {
  /** The id of the notice, so that each is sent once. */
  _id: string
  /** Absent for a mail. */
  channel?: Channel
  sealed: { keyId: string; iv: string; ciphertext: string; tag: string } | null
  state: 'queued' | 'sending' | 'sent' | 'expired' | 'failed'
  attempts: number
  /** When the next attempt is due; while sending, when another process may take it over. */
  dueAt: Date
  expiresAt: Date
  lastError: string | null
  createdAt: Date
}

/** The most notices of a channel that a process sends at once. */
export const parallelSends = 20

/** The most time of one attempt, until its connection is closed. */
export const attemptTimeoutMs = 10_000

/** A delivery belongs to the process that claimed it for this time, in which its attempt and the record of the outcome fit. */
export const claimMs = (timeoutMs: number): number => 3 * timeoutMs

const firstDelayMs = 1000
const maxDelayMs = 60_000

/** The delay after the n-th failed attempt, ms. */
export const retryDelay = (attempts: number): number =>
  Math.min(firstDelayMs * 2 ** (attempts - 1), maxDelayMs)
