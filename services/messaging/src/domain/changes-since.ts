import { utcDay } from '@sumlock/service-kit/clock'

/**
 * A change counts again for so long. This bounds how far the clocks of replicas and database may differ, together with the
 * time from the date of a write until the majority has it.
 */
const overlapMs = 10_000
const longestMs = 600_000

/**
 * From when on changes count; null when the whole list has to be answered: in a first call, for a time that is too long ago
 * or in the future, and on another UTC day, because free messages are counted by it.
 */
export function changesFrom(since: string | undefined, now: Date): Date | null {
  if (since === undefined) return null
  const date = new Date(since)
  const agoMs = now.getTime() - date.getTime()
  if (agoMs > longestMs || agoMs < -overlapMs || utcDay(date) !== utcDay(now)) return null
  return new Date(date.getTime() - overlapMs)
}
