import { utcDay } from '@sumlock/service-kit/clock'

/**
 * Changes up to this long before `since` are listed again. The overlap covers different clocks of replicas and database,
 * and the delay between the date of a write and its acknowledgement by the majority.
 */
const overlapMs = 10_000
const longestMs = 600_000

/**
 * Returns the time from which changes are listed, or null when the client needs the whole list. That is so on a first call,
 * when `since` is more than ten minutes ago or in the future, and when another UTC day has begun, because free messages
 * count per day.
 */
export function changesFrom(since: string | undefined, now: Date): Date | null {
  if (since === undefined) return null
  const date = new Date(since)
  const agoMs = now.getTime() - date.getTime()
  if (agoMs > longestMs || agoMs < -overlapMs || utcDay(date) !== utcDay(now)) return null
  return new Date(date.getTime() - overlapMs)
}
