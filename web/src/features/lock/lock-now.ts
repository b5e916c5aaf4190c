import { page } from '../../shared/lib/page.ts'
import { holdCover } from '../cover/cover.ts'
import { sessionSecrets } from './session-secrets.ts'
import { pendingLock } from './pending-lock.ts'

const flushMs = 2000
const settleMs = 500
const channelName = 'calc'
const lockMessage = 'lock'
let running: Promise<void> | undefined
let isLeaving = false

/** False when the browser would show an error page instead of the calculator. */
const canReplace = () => navigator.onLine || Boolean(navigator.serviceWorker?.controller)

const leave = () => {
  isLeaving = true
  holdCover()
  page.replace('/')
}

/** Replaces the page with a new calculator, so that nothing stays in memory. */
export const hardReload = (): void => {
  if (canReplace()) leave()
}

/**
 * Records the lock, sends unsent messages (2 s at most), locks on the server and in the other tabs, and replaces the
 * page.
 */
export function lockNow(): Promise<void> {
  running ??= (async () => {
    pendingLock.record()
    if (navigator.onLine) await sessionSecrets.flush(flushMs).catch(() => undefined)
    tellOtherTabs()
    const settled = pendingLock.settle()
    if (sessionSecrets.holdsSecrets && canReplace()) {
      // Do not wait for a slow answer: the lock is recorded, and the next page sends it first.
      await Promise.race([settled, new Promise((resolve) => window.setTimeout(resolve, settleMs))])
      leave()
    } else if ((await settled) && sessionSecrets.holdsSecrets) leave()
  })().finally(() => {
    running = undefined
  })
  return running
}

/** Waits for a lock that is running. True when the page is being replaced. */
export async function finishRunningLock(): Promise<boolean> {
  await running
  return isLeaving
}

// A page that could not be replaced without a network is replaced once the lock is settled.
pendingLock.subscribe(() => {
  if (!running && sessionSecrets.holdsSecrets && pendingLock.status() === 'settled') hardReload()
})

const openChannel = () =>
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(channelName)

function tellOtherTabs(): void {
  const channel = openChannel()
  channel?.postMessage(lockMessage)
  channel?.close()
}

/** Runs after another tab locked and this page closed its screens. */
export function onLockElsewhere(listener: () => void): () => void {
  const channel = openChannel()
  channel?.addEventListener('message', (event: MessageEvent) => {
    // The sender receives its own broadcast, too.
    if (event.data !== lockMessage || running) return
    pendingLock.close()
    listener()
  })
  return () => channel?.close()
}
