export interface Delivery {
  /** The id of the notice, so that each is sent once. */
  _id: string
  sealed: { keyId: string; iv: string; ciphertext: string; tag: string } | null
  state: 'queued' | 'sending' | 'sent' | 'expired' | 'failed'
  attempts: number
  /** When the next attempt is due; while sending, when another process may take it over. */
  dueAt: Date
  expiresAt: Date
  lastError: string | null
  createdAt: Date
}

const firstDelayMs = 1000
const maxDelayMs = 60_000

/** The delay after the n-th failed attempt, ms. */
export const retryDelay = (attempts: number): number =>
  Math.min(firstDelayMs * 2 ** (attempts - 1), maxDelayMs)
