import { utcDay } from '@sumlock/service-kit/clock'

/**
 * A change counts again for this time, which covers the difference between the clocks of replicas and database and the time
 * from the date of a write until the majority has it.
 */
const overlapMs = 10_000
const longestMs = 600_000

/**
 * Returns the time from which changes count, or null when the answer has to be the whole list: for a first call, a time that is
 * too long ago or in the future, and another UTC day, because free messages count per day.
 */
export function changesFrom(since: string | undefined, now: Date): Date | null {
  if (since === undefined) return null
  const date = new Date(since)
  const agoMs = now.getTime() - date.getTime()
  if (agoMs > longestMs || agoMs < -overlapMs || utcDay(date) !== utcDay(now)) return null
  return new Date(date.getTime() - overlapMs)
}
