import { limits } from '@sumlock/contracts/limits'
import type { VanishMs } from '@sumlock/contracts/primitives'
import { emptied, inEyesOf } from './act.ts'
import type { MessageRecord } from './message.ts'

const unreadMs = limits.unreadVanishDays * 86_400_000

/** Returns the fields of a new message that vanishes, which its recipient never reads if it is hidden. */
export function lifetimeOf(
  vanishMs: VanishMs | undefined,
  isHidden: boolean,
  createdAt: Date,
): Pick<MessageRecord, 'vanishMs' | 'vanishAt' | 'isUnseen'> {
  if (vanishMs === undefined) return {}
  const after = (ms: number) => new Date(createdAt.getTime() + ms)
  if (isHidden) return { vanishMs, vanishAt: after(vanishMs) }
  return { vanishMs, vanishAt: after(unreadMs), isUnseen: true }
}

/** Returns whether the time of a message is over for one of its members. */
export function isOver(
  personId: string,
  { senderId, createdAt, vanishMs, vanishAt }: MessageRecord,
  now: Date,
): boolean {
  if (vanishMs === undefined) return false
  const endMs = senderId === personId ? createdAt.getTime() + vanishMs : vanishAt?.getTime()
  return endMs !== undefined && endMs <= now.getTime()
}

/** Returns a message as one of its members is shown it at a time. */
export function asShownTo(personId: string, record: MessageRecord, now: Date): MessageRecord {
  const shown = inEyesOf(personId, record)
  return isOver(personId, record, now) ? { ...emptied(shown), isVanished: true } : shown
}

/** Returns when a message that its recipient has read vanishes for the recipient, who alone is shown this time. */
export const endShownTo = (
  personId: string,
  { senderId, vanishAt, isUnseen }: MessageRecord,
): { vanishAt?: string } =>
  vanishAt && !isUnseen && senderId !== personId ? { vanishAt: vanishAt.toISOString() } : {}
