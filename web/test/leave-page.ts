import { lock, page } from './page.ts'

/** The lock of a page that is left, until the server was tried. */
export async function leavePage(): Promise<void> {
  lock.dispatch('left')
  await lock.finishClosing()
}

/** Brings the lock of this page back to where nothing is open or owed, and replaces no page. The server must answer. */
export async function endLock(): Promise<void> {
  const { canReplace } = page
  page.canReplace = () => false
  // No finger rests on the cover.
  window.dispatchEvent(new Event('click'))
  await lock.finishClosing()
  lock.dispatch('lost')
  await lock.settle()
  page.canReplace = canReplace
}
