import { useCallback, useSyncExternalStore } from 'react'
import { dateAndTimeText } from '../lib/date-text.ts'
import { serverNowMs } from '../lib/server-clock.ts'
import { relativeTime } from '../lib/relative-time.ts'

const stepMs = 30_000
const listeners = new Set<() => void>()
let timer: number | undefined
let nowMs = serverNowMs()

function tick() {
  nowMs = serverNowMs()
  for (const listener of listeners) listener()
}

/** One timer for all texts on the screen. */
function subscribe(listener: () => void) {
  if (listeners.size === 0) {
    nowMs = serverNowMs()
    timer = window.setInterval(tick, stepMs)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.clearInterval(timer)
  }
}

/** A text that depends on the time; its component renders again only when it changes. `write` stays the same function. */
export function useTimeText(write: (nowMs: number) => string): string {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => write(nowMs), [write]),
  )
}

/** Such as "5 min". The pointer shows date and clock time. */
export function RelativeTime({ iso, className }: { iso: string; className?: string }) {
  const text = useTimeText(
    // A message may be newer than the last tick.
    useCallback((now: number) => relativeTime(iso, new Date(Math.max(now, Date.parse(iso)))), [iso]),
  )
  return (
    <time dateTime={iso} title={dateAndTimeText(iso)} className={className}>
      {text}
    </time>
  )
}
