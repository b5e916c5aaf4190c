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

/** `owed`: a recorded lock waits for its next attempt. `sending`: an attempt is running. */
export type LockStatus = 'nothing-owed' | 'sending' | 'owed'

export interface LockOptions {
  storage: SafeStorage
  location: PageLocation
  cover: Cover
  secrets: Secrets
  send: () => Promise<ApiAnswer>
  /** Opens the channel between the tabs of this device, if the browser has one. */
  openChannel: () => BroadcastChannel | undefined
  isKnownDevice: () => boolean
  /** Whether this page stored the recorded lock when the person arrived at the calculator. */
  isArmed?: () => boolean
  /** Whether an earlier page of this tab was hidden for too long. */
  wasAbsent?: () => boolean
}

const probeKey = 'calc.s'
const retryMs = 5000
const lockMessage = 'lock'

/** Runs the table of `lock-machine.ts`. No other code of the lock touches storage, network, channel or page. */
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
    // A flight during the attempt has recorded a lock and relies on this attempt to send it.
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
      // Without a network the page could not be replaced; it is replaced once the lock is confirmed.
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
    /** Sends an owed lock. Resolves to true once the session is certainly locked or ended. */
    settle: async (): Promise<boolean> => {
      if (state === 'owed') dispatch('retried')
      // Closing sends unsent text before the lock.
      const running = () => sender.running() ?? end.closing()
      for (let run = running(); run && state === 'locking'; run = running()) await run
      return state !== 'owed' && state !== 'locking'
    },
    /** Waits for a running lock. Resolves to true when the page is being replaced. */
    finishClosing: async (): Promise<boolean> => {
      await end.closing()
      return end.isReplacing()
    },
    /** Follows locks of other tabs. */
    listen: (): (() => void) =>
      followOtherTabs(openChannel, () => !end.closing() && dispatch('locked-elsewhere')),
  }
}
export type Lock = ReturnType<typeof createLock>

/** Without storage every load locks, because an earlier page could not record its lock. */
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
    // The page also receives its own broadcast, because it is sent through a second channel.
    if (data === lockMessage) onLock()
  })
  return () => channel?.close()
}

/** Sends the lock that an earlier page recorded, before this page's first call and again when the network returns. */
export function watchLock(lock: Lock): void {
  window.addEventListener('online', () => lock.dispatch('retried'))
  lock.dispatch('retried')
}
