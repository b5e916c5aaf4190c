import { utcDay } from '@sumlock/service-kit/clock'

/** A slot stands for a person's free message of one day. The slot is spent once the message that it names is stored. */
export interface SlotRecord {
  /** `slotOf` builds this key. */
  _id: string
  conversationId: string
  clientMessageId: string
  takenAt: Date
}

/** Returns the key of a person's slot, `<senderId>|<UTC day>`. The day is taken from the clock of the service. */
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

/** Returns whether it is too late to begin the insert of the slot's message. */
export const isTooLateFor = (slot: SlotRecord, now: Date): boolean => ageMs(slot, now) >= insertWithinMs

/** Returns whether a send may still use the slot that it took. Otherwise the send has to take a slot. */
export const isUsable = (slot: SlotRecord | undefined, senderId: string, now: Date): boolean =>
  slot?._id === slotOf(senderId, now) && !isTooLateFor(slot, now)
