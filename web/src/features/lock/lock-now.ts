import { page } from '../../shared/lib/page.ts'
import { holdCover } from '../cover/cover.ts'
import { heap } from './heap.ts'
import { pendingLock } from './pending-lock.ts'

const flushMs = 2000
const channelName = 'calc'
const lockMessage = 'lock'
let running: Promise<void> | undefined

/** False where the browser would show an error page of its own instead of the calculator. */
const canReplace = () => navigator.onLine || Boolean(navigator.serviceWorker?.controller)

const leave = () => {
  holdCover()
  page.replace('/')
}

/** Replaces the page by a fresh calculator: nothing of before stays in memory. */
export const beginAnew = (): void => {
  if (canReplace()) leave()
}

/** Records the lock, sends what is unsent (2 s at most), locks on the server and in the other tabs, replaces the page. */
export function lockNow(): Promise<void> {
  running ??= (async () => {
    // guard: recorded-before-leaving
    pendingLock.record()
    if (navigator.onLine) await heap.flush(flushMs).catch(() => undefined)
    tellOtherTabs()
    const isSettled = await pendingLock.settle()
    if (heap.holdsSecrets && (isSettled || canReplace())) leave()
  })().finally(() => {
    running = undefined
  })
  return running
}

// A page that could not be replaced while the network was gone is replaced once the lock is settled.
pendingLock.subscribe(() => {
  if (!running && heap.holdsSecrets && pendingLock.status() === 'settled') beginAnew()
})

const openChannel = () =>
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(channelName)

function tellOtherTabs(): void {
  const channel = openChannel()
  channel?.postMessage(lockMessage)
  channel?.close()
}

/** Runs when another tab locked; behind the calculator everything is closed by then. */
export function onLockElsewhere(listener: () => void): () => void {
  const channel = openChannel()
  channel?.addEventListener('message', (event: MessageEvent) => {
    // The page that tells the others hears itself, too.
    if (event.data !== lockMessage || running) return
    pendingLock.close()
    listener()
  })
  return () => channel?.close()
}
