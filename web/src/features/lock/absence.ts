import { tabStorage } from '../device/safe-storage.ts'

/** A page may be hidden for this time (ms) before it locks. */
export const graceMs = 60_000
const hiddenAtKey = 'calc.a'

/**
 * Stores the time since which this tab is hidden and how long it may be hidden. The values are in the tab's storage,
 * because the browser may discard a hidden page.
 */
export const absence = {
  since: (): number => stamp()[0],
  /** Returns the allowed time in milliseconds, which the first call of `note` sets. */
  allowedMs: (): number => stamp()[1],
  note: (allowedMs = graceMs): void => {
    if (absence.since() === 0) tabStorage.set(hiddenAtKey, `${Date.now()} ${allowedMs}`)
  },
  forget: (): void => tabStorage.remove(hiddenAtKey),
  /** Returns whether the allowed time is over. This is also true if the clock was set back by at least this time. */
  isOver: (): boolean => absence.since() > 0 && Math.abs(Date.now() - absence.since()) >= absence.allowedMs(),
}

function stamp(): [since: number, allowedMs: number] {
  const [since = 0, allowedMs = graceMs] = (tabStorage.get(hiddenAtKey) ?? '').split(' ').map(Number)
  return [since, allowedMs]
}
