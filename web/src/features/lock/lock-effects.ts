import type { ApiAnswer } from '../../api/client.ts'
import { isDiscreetDevice } from '../device/known-device.ts'
import type { PageLocation } from '../device/page-location.ts'
import type { SafeStorage } from '../device/safe-storage.ts'
import { removeCopies } from '../device/stored-copies.ts'
import { recordKey } from './arrival.ts'
import type { Cover } from './cover.ts'
import { transition } from './lock-machine.ts'
import type { LockEffect, LockEvent, LockState } from './lock-machine.ts'
import { createLockSender } from './lock-sender.ts'
import { createPageEnd } from './page-end.ts'
import type { Secrets } from './page-end.ts'

/** `owed` means that a recorded lock waits for its next attempt, `sending` that an attempt is running. */
export type LockStatus = 'nothing-owed' | 'sending' | 'owed'

export interface LockOptions {
  storage: SafeStorage
  location: PageLocation
  cover: Cover
  secrets: Secrets
  send: () => Promise<ApiAnswer>
  /** Opens a channel between the tabs of this device; undefined if the browser has none. */
  openChannel: () => BroadcastChannel | undefined
  isKnownDevice: () => boolean
  /** Returns whether this page recorded the lock itself when the person arrived at the calculator. */
  isArmed?: () => boolean
  /** Returns whether an earlier page of this tab was hidden for too long. */
  wasAbsent?: () => boolean
}

const probeKey = 'calc.s'
const retryMs = 5000
const lockMessage = 'lock'

/**
 * Passes events to the state machine of `lock-machine.ts` and carries out its effects on storage, network, other tabs
 * and page.
 */
export function createLock(options: LockOptions) {
  const { storage, cover, secrets, openChannel } = options
  const listeners = new Set<() => void>()
  let state: LockState = mustLockFirst(options) ? 'owed' : 'unknown'
  let retry: ReturnType<typeof setTimeout> | undefined

  const sender = createLockSender(options.send, (isConfirmed) =>
    dispatch(isConfirmed ? 'confirmed' : 'failed'),
  )
  const post = (): Promise<boolean> => {
    clearTimeout(retry)
    return sender.post()
  }
  const end = createPageEnd({
    ...options,
    post,
    tellOtherTabs: () => tellOtherTabs(openChannel),
    // A flight while the page was closing has recorded a lock, but that lock was not sent yet.
    onEnd: () => {
      if (state === 'locking' && !sender.running() && !end.isReplacing()) void post()
    },
  })
  const effects: Record<LockEffect, () => void> = {
    record: () => {
      storage.set(recordKey, '1')
      removeCopies()
    },
    forget: () => storage.remove(recordKey),
    'remove-copies': removeCopies,
    send: () => void post(),
    'retry-later': () => {
      retry = setTimeout(() => dispatch('retried'), retryMs)
    },
    close: () => end.close(secrets.holds),
    flee: () => end.close(() => true),
    replace: () => void end.replace(),
    discard: () => {
      // A page that could not be replaced without a network is replaced now.
      if (!end.closing() && secrets.holds()) void end.replace()
    },
    'sign-in': () => {
      cover.hold()
      end.replaceBy(isDiscreetDevice() ? '/' : '/auth')
    },
  }
  function dispatch(event: LockEvent): void {
    const before = state
    const [next, ...wanted] = transition(state, event)
    state = next
    for (const effect of wanted) effects[effect]()
    if (before !== next) for (const listener of listeners) listener()
  }

  return {
    dispatch,
    state: (): LockState => state,
    status: (): LockStatus => (state === 'locking' ? 'sending' : state === 'owed' ? 'owed' : 'nothing-owed'),
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Sends an owed lock. Resolves to false if the server did not confirm it, otherwise to true. */
    settle: async (): Promise<boolean> => {
      if (state === 'owed') dispatch('retried')
      // A page that is closing sends unsent text before the lock, so the sender may not be running yet.
      const running = () => sender.running() ?? end.closing()
      for (let run = running(); run && state === 'locking'; run = running()) await run
      return state !== 'owed' && state !== 'locking'
    },
    /** Waits until the page has been closed. Resolves to true if it is being replaced. */
    finishClosing: async (): Promise<boolean> => {
      await end.closing()
      return end.isReplacing()
    },
    /** Handles locks of other tabs until the returned function is called. */
    listen: (): (() => void) =>
      followOtherTabs(openChannel, () => !end.closing() && dispatch('locked-elsewhere')),
  }
}
export type Lock = ReturnType<typeof createLock>

/**
 * Returns whether a lock is due before anything else: an earlier page recorded one, or this tab was hidden for too
 * long. Without storage every load on a known device locks, because an earlier page could not have recorded its lock.
 */
function mustLockFirst({ storage, isKnownDevice, isArmed, wasAbsent }: LockOptions): boolean {
  if (storage.get(recordKey) !== null && isArmed?.() !== true) return true
  if (wasAbsent?.() === true) {
    storage.set(recordKey, '1')
    return true
  }
  const isStored = storage.set(probeKey, '1')
  storage.remove(probeKey)
  return !isStored && isKnownDevice()
}

function tellOtherTabs(openChannel: LockOptions['openChannel']): void {
  const channel = openChannel()
  channel?.postMessage(lockMessage)
  channel?.close()
}

function followOtherTabs(openChannel: LockOptions['openChannel'], onLock: () => void): () => void {
  const channel = openChannel()
  channel?.addEventListener('message', ({ data }: MessageEvent) => {
    // The page also receives its own message, because that is sent through a second channel.
    if (data === lockMessage) onLock()
  })
  return () => channel?.close()
}

/** Sends a lock that an earlier page has recorded before this page's first call, and again when the network returns. */
export function watchLock(lock: Lock): void {
  window.addEventListener('online', () => lock.dispatch('retried'))
  lock.dispatch('retried')
}
