export type Channel = 'mail' | 'sms'

export interface Delivery {
  /** The delivery has the id of its notice, so that a notice is stored only once. */
  _id: string
  /** Deliveries that an earlier version stored have no channel; they are claimed together with the mails. */
  channel?: Channel
  sealed: { keyId: string; iv: string; ciphertext: string; tag: string } | null
  state: 'queued' | 'sending' | 'sent' | 'expired' | 'failed'
  attempts: number
  /** The next attempt is due at this time. In state `sending`, another process may take the delivery over from then on. */
  dueAt: Date
  expiresAt: Date
  lastError: string | null
  createdAt: Date
}

/** A process sends at most this many notices of one channel at once. */
export const parallelSends = 20

/** The connection of an attempt is closed after this time. */
export const attemptTimeoutMs = 10_000

/**
 * Returns how long a process owns a delivery that it claimed. An attempt and the record of its outcome fit into this time.
 */
export const claimMs = (timeoutMs: number): number => 3 * timeoutMs

const firstDelayMs = 1000
const maxDelayMs = 60_000

/** Returns the delay in ms before the next attempt, after `attempts` have failed. */
export const retryDelay = (attempts: number): number =>
  Math.min(firstDelayMs * 2 ** (attempts - 1), maxDelayMs)
