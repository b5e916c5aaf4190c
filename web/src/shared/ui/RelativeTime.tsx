import { useCallback, useSyncExternalStore } from 'react'
import { dateAndTimeText } from '../lib/date-text.ts'
import { usePage } from '../../page.ts'
import { relativeTime } from '../lib/relative-time.ts'

/**
 * Returns a text that depends on the time; the component renders again only when the text changes. `write` must stay
 * the same function.
 */
export function useTimeText(write: (nowMs: number) => string): string {
  const { minutes } = usePage()
  return useSyncExternalStore(
    minutes.subscribe,
    useCallback(() => write(minutes.nowMs()), [minutes, write]),
  )
}

/** Shows an age such as "5 min"; a tooltip has date and clock time. */
export function RelativeTime({ iso, className }: { iso: string; className?: string }) {
  const text = useTimeText(
    // A message may be newer than the minute timer's last tick, and no age may be negative.
    useCallback((now: number) => relativeTime(iso, new Date(Math.max(now, Date.parse(iso)))), [iso]),
  )
  return (
    <time dateTime={iso} title={dateAndTimeText(iso)} className={className}>
      {text}
    </time>
  )
}
