import { utcDay } from '@sumlock/service-kit/clock'

/** The free message of a person for one day. It is spent once the message that it names is stored. */
export interface SlotRecord {
  /** See `slotOf`. */
  _id: string
  conversationId: string
  clientMessageId: string
  takenAt: Date
}

/** The key of a person's slot: `<senderId>|<UTC day>`, by the clock of the service. */
export const slotOf = (senderId: string, now: Date): string => `${senderId}|${utcDay(now)}`

/** A slot without a message is released after this time; until then its process may still be writing the message. */
const keptMs = 10_000
/**
 * A send must begin its insert within this time. The rest of `keptMs` covers the clocks of two replicas, each at most a
 * second off, and the insert itself.
 */
const insertWithinMs = 5_000

const ageMs = ({ takenAt }: SlotRecord, now: Date) => now.getTime() - takenAt.getTime()

export const isKept = (slot: SlotRecord, now: Date): boolean => ageMs(slot, now) < keptMs

/** Whether the insert that this slot was taken for must not begin any more. */
export const isTooLateFor = (slot: SlotRecord, now: Date): boolean => ageMs(slot, now) >= insertWithinMs

/** Whether a send may use the slot it took, or has to take one (again). */
export const isUsable = (slot: SlotRecord | undefined, senderId: string, now: Date): boolean =>
  slot?._id === slotOf(senderId, now) && !isTooLateFor(slot, now)
