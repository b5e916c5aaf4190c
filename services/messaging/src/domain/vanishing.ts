import { limits } from '@sumlock/contracts/limits'
import type { VanishMs } from '@sumlock/contracts/primitives'
import { emptied, inEyesOf } from './act.ts'
import type { MessageRecord } from './message.ts'
import { onceShownTo } from './once.ts'

const unreadMs = limits.unreadVanishDays * 86_400_000

/** Returns when a message is erased if nobody has read or opened it. */
export const endWithoutReading = ({ createdAt }: Pick<MessageRecord, 'createdAt'>): Date =>
  new Date(createdAt.getTime() + unreadMs)

/** Returns the fields of a new message that opens once. Its time begins when it is opened, not when it is read. */
export const onceUnopened = (createdAt: Date): Pick<MessageRecord, 'isOnce' | 'vanishAt'> => ({
  ...{ isOnce: true, vanishAt: endWithoutReading({ createdAt }) },
})

/** Returns the fields of a new message that vanishes, which its recipient never reads if it is hidden. */
export function lifetimeOf(
  vanishMs: VanishMs | undefined,
  isHidden: boolean,
  createdAt: Date,
): Pick<MessageRecord, 'vanishMs' | 'vanishAt' | 'isUnseen'> {
  if (vanishMs === undefined) return {}
  if (isHidden) return { vanishMs, vanishAt: new Date(createdAt.getTime() + vanishMs) }
  return { vanishMs, vanishAt: endWithoutReading({ createdAt }), isUnseen: true }
}

/** Returns whether the time of a message is over for one of its members. */
export function isOver(
  personId: string,
  { senderId, createdAt, vanishMs, vanishAt }: MessageRecord,
  now: Date,
): boolean {
  if (vanishMs === undefined) return false
  const endMs = senderId === personId ? createdAt.getTime() + vanishMs : vanishAt?.getTime()
  // guard: vanished-is-empty
  return endMs !== undefined && endMs <= now.getTime()
}

/** Returns a message whose time is over. */
export const vanished = (record: MessageRecord): MessageRecord => ({ ...emptied(record), isVanished: true })

/** Returns a message as one of its members is shown it at a time. */
export function asShownTo(personId: string, record: MessageRecord, now: Date): MessageRecord {
  const shown = inEyesOf(personId, record)
  if (record.isOnce) return onceShownTo(personId, shown, now)
  return isOver(personId, record, now) ? vanished(shown) : shown
}

/** Returns when a message that its recipient has read vanishes for the recipient, who alone is shown this time. */
export const endShownTo = (
  personId: string,
  { senderId, vanishAt, isUnseen, isOnce }: MessageRecord,
): { vanishAt?: string } =>
  vanishAt && !isUnseen && !isOnce && senderId !== personId ? { vanishAt: vanishAt.toISOString() } : {}
