import { lock, page } from './page.ts'

/** Leaves the page and waits until its lock was sent to the server. */
export async function leavePage(): Promise<void> {
  lock.dispatch('left')
  await lock.finishClosing()
}

/**
 * Brings the lock of this page back to its initial state, in which nothing is open or owed. The page is not replaced.
 * The server must answer.
 */
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
