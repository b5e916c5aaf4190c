import { tabStorage } from '../../shared/lib/safe-storage.ts'

/** How long an open page may be hidden. */
export const graceMs = 60_000
const hiddenAtKey = 'calc.a'

/** When this tab was hidden while it was open. Stored per tab, because the browser may discard a hidden page. */
export const leftAlone = {
  since: (): number => Number(tabStorage.get(hiddenAtKey) ?? 0),
  note: (): void => {
    if (leftAlone.since() === 0) tabStorage.set(hiddenAtKey, String(Date.now()))
  },
  forget: (): void => tabStorage.remove(hiddenAtKey),
  /** Also true when the clock was set back by as much. */
  isOver: (): boolean => leftAlone.since() > 0 && Math.abs(Date.now() - leftAlone.since()) >= graceMs,
}
