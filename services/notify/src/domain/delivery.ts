export interface Delivery {
  /** The notice's id: each is sent once. */
  _id: string
  sealed: { keyId: string; iv: string; ciphertext: string; tag: string } | null
  state: 'queued' | 'sending' | 'sent' | 'expired' | 'failed'
  attempts: number
  /** When the next try is due; while sending, when another process may take it over. */
  dueAt: Date
  expiresAt: Date
  lastError: string | null
  createdAt: Date
}

const firstDelayMs = 1000
const maxDelayMs = 60_000

/** How long to wait after the n-th failed try, in ms. */
export const retryDelay = (attempts: number): number =>
  Math.min(firstDelayMs * 2 ** (attempts - 1), maxDelayMs)
