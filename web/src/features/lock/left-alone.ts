import { tabStorage } from '../device/safe-storage.ts'

/** How long an open page may be hidden. */
export const graceMs = 60_000
const hiddenAtKey = 'calc.a'

/**
 * When this tab was hidden while it was open, and for how long it may be. Stored per tab, because the browser may discard a
 * hidden page.
 */
export const leftAlone = {
  since: (): number => stamp()[0],
  /** Ms; of the page that was hidden first. */
  allowedMs: (): number => stamp()[1],
  note: (allowedMs = graceMs): void => {
    if (leftAlone.since() === 0) tabStorage.set(hiddenAtKey, `${Date.now()} ${allowedMs}`)
  },
  forget: (): void => tabStorage.remove(hiddenAtKey),
  /** Also true when the clock was set back by as much. */
  isOver: (): boolean =>
    leftAlone.since() > 0 && Math.abs(Date.now() - leftAlone.since()) >= leftAlone.allowedMs(),
}

function stamp(): [since: number, allowedMs: number] {
  const [since = 0, allowedMs = graceMs] = (tabStorage.get(hiddenAtKey) ?? '').split(' ').map(Number)
  return [since, allowedMs]
}
