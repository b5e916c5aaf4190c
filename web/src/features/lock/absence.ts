import { tabStorage } from '../device/safe-storage.ts'

/** An open page may be hidden this long. */
export const graceMs = 60_000
const hiddenAtKey = 'calc.a'

/**
 * Stores since when this tab is hidden and how long it may be hidden. The tab's storage keeps it, because the browser
 * may discard a hidden page.
 */
export const absence = {
  since: (): number => stamp()[0],
  /** Milliseconds. The first call of `note` decides them. */
  allowedMs: (): number => stamp()[1],
  note: (allowedMs = graceMs): void => {
    if (absence.since() === 0) tabStorage.set(hiddenAtKey, `${Date.now()} ${allowedMs}`)
  },
  forget: (): void => tabStorage.remove(hiddenAtKey),
  /** Also true when the clock was set back by at least this time. */
  isOver: (): boolean => absence.since() > 0 && Math.abs(Date.now() - absence.since()) >= absence.allowedMs(),
}

function stamp(): [since: number, allowedMs: number] {
  const [since = 0, allowedMs = graceMs] = (tabStorage.get(hiddenAtKey) ?? '').split(' ').map(Number)
  return [since, allowedMs]
}
