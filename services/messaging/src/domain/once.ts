import { emptied } from './act.ts'
import type { MessageRecord } from './message.ts'

/** This session reads a file, during the unlock that began at this time. */
export interface OnceReader {
  sessionId: string
  unlockedAt: Date
}

/** The recipient has opened a message that opens once. */
export interface Opening {
  /** The sender is told of it. Without it the sender must not notice anything. */
  isTold: boolean
  /** Only this reader can read the file, until `vanishAt`. An erased message has no reader. */
  by?: OnceReader
}

/** Returns a message that opens once as one of its members is shown it. Nobody is shown the content of an opened one. */
export function onceShownTo(personId: string, record: MessageRecord, now: Date): MessageRecord {
  const { senderId, messageType, open, vanishAt } = record
  const isOwn = senderId === personId
  const isUnopened = !isOwn && !open
  if (isUnopened && vanishAt !== undefined && vanishAt > now) return record
  // The sender is shown the same before and after the message is erased.
  return {
    ...emptied(record),
    messageType,
    isOnce: true,
    ...(open && (!isOwn || open.isTold) ? { open } : {}),
    ...(isUnopened ? { isVanished: true } : {}),
  }
}

/** Returns whether this session opened the message, and was not locked since. */
export const isReading = (
  { open, vanishAt }: MessageRecord,
  { sessionId, unlockedAt }: { sessionId: string; unlockedAt: Date | null },
  now: Date,
): boolean =>
  open?.by?.sessionId === sessionId &&
  open.by.unlockedAt.getTime() === unlockedAt?.getTime() &&
  vanishAt !== undefined &&
  vanishAt > now
