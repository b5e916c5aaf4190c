import { shortDateText, weekdayText } from './date-text.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Returns a short age: 'now', '5 min', '3 h', 'Mon', '4 Mar', '4 Mar 2025'. */
export function relativeTime(iso: string, now: Date): string {
  const then = new Date(iso)
  const passed = now.getTime() - then.getTime()
  if (passed < minute) return 'now'
  if (passed < hour) return `${Math.floor(passed / minute)} min`
  if (passed < day) return `${Math.floor(passed / hour)} h`
  if (passed < 7 * day) return weekdayText(then)
  return shortDateText(then, now)
}
