import { createHmac, timingSafeEqual } from 'node:crypto'
import bcrypt from 'bcrypt'
import { createHashQueue } from './hash-queue.ts'

export interface StoredPin {
  /** Absent until the first right entry when an earlier release set the PIN. */
  pinMac?: string | null
  pinHash: string | null
}

/** Stored PINs are useless without the pepper, which is in no database; bcrypt would only add waiting time. */
export function createPinHashing(pepper: Buffer) {
  const hmac = (text: string) => createHmac('sha256', pepper).update(text).digest('base64')
  const mac = (userId: string, pin: string) => hmac(`pin:${userId}:${pin}`)
  const formerHashes = createHashQueue({
    concurrency: 1,
    capacity: 16,
    waitAtMostMs: 500,
    // Shown on the calculator, so it must not mention signing in.
    refusedSentence: 'Please try again in a moment.',
  })
  return {
    mac,
    /** Identifies a wrong entry without its digits. */
    entryMac: (userId: string, entry: string) => hmac(`entry:${userId}:${entry}`),

    /** The fields to store. Replicas of the previous release read the bcrypt hash, which has the lowest cost. */
    seal: async (userId: string, pin: string): Promise<{ pinMac: string; pinHash: string }> => {
      const pinMac = mac(userId, pin)
      return { pinMac, pinHash: await bcrypt.hash(pinMac, 4) }
    },

    /** Throws 429 when too many hashes of an earlier release wait to be compared. */
    matches: async (userId: string, pin: string, { pinMac, pinHash }: StoredPin): Promise<boolean> => {
      const entered = mac(userId, pin)
      if (pinMac) return timingSafeEqual(Buffer.from(entered), Buffer.from(pinMac))
      return pinHash !== null && formerHashes.run(() => bcrypt.compare(entered, pinHash))
    },
  }
}
