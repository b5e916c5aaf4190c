import { tabStorage } from '../../shared/lib/safe-storage.ts'

/** How long a page that is open may be out of sight. */
export const graceMs = 60_000
const hiddenAtKey = 'calc.a'

/** When this tab went out of sight while it was open. Kept by the tab, because the browser may discard a hidden page. */
export const leftAlone = {
  since: (): number => Number(tabStorage.get(hiddenAtKey) ?? 0),
  note: (): void => {
    if (leftAlone.since() === 0) tabStorage.set(hiddenAtKey, String(Date.now()))
  },
  forget: (): void => tabStorage.remove(hiddenAtKey),
  /** A clock that was set back counts, too. */
  isOver: (): boolean => leftAlone.since() > 0 && Math.abs(Date.now() - leftAlone.since()) >= graceMs,
}
