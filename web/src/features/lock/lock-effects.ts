import { request } from '../../api/request.ts'
import type { ApiAnswer } from '../../api/request.ts'
import { page } from '../device/page.ts'
import { deviceStorage } from '../device/safe-storage.ts'
import type { SafeStorage } from '../device/safe-storage.ts'
import { cover } from './cover.ts'
import { removeCopies } from '../device/stored-copies.ts'
import { isDiscreetDevice, isKnownDevice } from '../device/known-device.ts'
import { arrival, recordKey } from './arrival.ts'
import { leftAlone } from './left-alone.ts'
import { transition } from './lock-machine.ts'
import type { LockEffect, LockEvent, LockState } from './lock-machine.ts'
import { sessionSecrets } from './session-secrets.ts'

/** `owed`: recorded and not yet confirmed by the server; `sending`: an attempt is running. */
export type LockStatus = 'settled' | 'sending' | 'owed'

export interface LockOptions {
  storage: SafeStorage
  send: () => Promise<ApiAnswer>
  isKnownDevice: () => boolean
  /** Whether the stored record comes from this page's own arrival. */
  isArmed?: () => boolean
  /** Whether an earlier page of this tab was hidden for too long. */
  wasLeftAlone?: () => boolean
}

const probeKey = 'calc.s'
const retryMs = 5000
const answerWithinMs = 5000
const flushMs = 2000
const settleMs = 500
const channelName = 'calc'
const lockMessage = 'lock'

const openChannel = () =>
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(channelName)
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Runs the table of `lock-machine.ts`: the only code of the lock with storage, network, channel and page. */
export function createLock(options: LockOptions) {
  const { storage, send } = options
  const listeners = new Set<() => void>()
  let state: LockState = mustLockFirst() ? 'owed' : 'unknown'
  let sending: Promise<boolean> | undefined
  let mustSendAgain = false
  let retry: ReturnType<typeof setTimeout> | undefined
  let closing: Promise<void> | undefined
  let isReplacing = false

  /** Without storage every load locks, because an earlier page could not record its lock. */
  function mustLockFirst(): boolean {
    if (storage.get(recordKey) !== null && options.isArmed?.() !== true) return true
    if (options.wasLeftAlone?.() === true) {
      storage.set(recordKey, '1')
      return true
    }
    const isStored = storage.set(probeKey, '1')
    storage.remove(probeKey)
    return !isStored && options.isKnownDevice()
  }

  const attempt = async (): Promise<boolean> => {
    clearTimeout(retry)
    let answer: ApiAnswer
    do {
      mustSendAgain = false
      answer = await send()
      // The CSRF token was outdated: each call fetches a new one.
      if ('error' in answer && answer.error.status === 403) answer = await send()
    } while (mustSendAgain)
    return !('error' in answer) || answer.error.status === 401
  }

  /** Resolves to whether the server has confirmed the lock. */
  function post(): Promise<boolean> {
    if (sending) mustSendAgain = true
    sending ??= attempt().then((isConfirmed) => {
      sending = undefined
      dispatch(isConfirmed ? 'confirmed' : 'failed')
      return isConfirmed
    })
    return sending
  }

  const replaceBy = (address: string) => {
    isReplacing = true
    page.replace(address)
  }

  async function replace(): Promise<void> {
    if (!page.canReplace()) {
      cover.release()
      return
    }
    cover.takeKeys()
    // A key that is being pressed on the cover is finished first.
    await cover.handsOff()
    if (page.canReplace()) replaceBy('/')
    else cover.release()
  }

  function close(mustReplace: () => boolean): void {
    if (mustReplace()) cover.takeKeys()
    closing ??= (async () => {
      if (navigator.onLine) await sessionSecrets.flush(flushMs).catch(() => undefined)
      tellOtherTabs()
      const confirmed = post()
      // Without waiting for a slow answer: the lock is recorded, and the next page sends it first.
      if (mustReplace() && page.canReplace()) await Promise.race([confirmed, pause(settleMs)])
      else await confirmed
      if (mustReplace()) await replace()
    })().finally(() => {
      closing = undefined
      // A flight that came after the answer has recorded a lock and left the sending to this one.
      if (state === 'locking' && !sending && !isReplacing) void post()
    })
  }

  const effects: Record<LockEffect, () => void> = {
    record: () => {
      storage.set(recordKey, '1')
      removeCopies()
    },
    forget: () => {
      storage.remove(recordKey)
    },
    'remove-copies': removeCopies,
    send: () => void post(),
    'retry-later': () => {
      retry = setTimeout(() => dispatch('retried'), retryMs)
    },
    close: () => close(() => sessionSecrets.holdsSecrets),
    flee: () => close(() => true),
    replace: () => void replace(),
    discard: () => {
      // A page that could not be replaced without a network is replaced once the lock is confirmed.
      if (!closing && sessionSecrets.holdsSecrets) void replace()
    },
    'sign-in': () => {
      cover.hold()
      replaceBy(isDiscreetDevice() ? '/' : '/auth')
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
    status: (): LockStatus => (state === 'locking' ? 'sending' : state === 'owed' ? 'owed' : 'settled'),
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Sends a lock that is owed. Resolves to true once the session is known to be locked or ended. */
    settle: async (): Promise<boolean> => {
      if (state === 'owed') dispatch('retried')
      // Closing sends unsent text before the lock.
      for (let run = sending ?? closing; run && state === 'locking'; run = sending ?? closing) await run
      return state !== 'owed' && state !== 'locking'
    },
    /** Waits for a lock that is running. True when the page is being replaced. */
    finishClosing: async (): Promise<boolean> => {
      await closing
      return isReplacing
    },
    /** Follows locks of other tabs. */
    listen: (): (() => void) => {
      const channel = openChannel()
      channel?.addEventListener('message', ({ data }: MessageEvent) => {
        // The sender receives its own broadcast, too.
        if (data === lockMessage && !closing) dispatch('locked-elsewhere')
      })
      return () => channel?.close()
    },
  }
}
export type Lock = ReturnType<typeof createLock>

function tellOtherTabs(): void {
  const channel = openChannel()
  channel?.postMessage(lockMessage)
  channel?.close()
}

export const lock = createLock({
  storage: deviceStorage,
  isKnownDevice,
  isArmed: arrival.isArmed,
  wasLeftAlone: () => {
    const isOver = leftAlone.isOver()
    if (isOver) leftAlone.forget()
    return isOver
  },
  send: () =>
    request({ url: '/api/lock', method: 'POST', keepalive: true, timeoutMs: answerWithinMs, isQuiet: true }),
})

/** Sends the lock that an earlier page recorded: before this page's first call, and when the network returns. */
export function watchLock(): void {
  window.addEventListener('online', () => lock.dispatch('retried'))
  lock.dispatch('retried')
}
