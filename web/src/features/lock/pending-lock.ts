import { request } from '../../api/request.ts'
import type { ApiAnswer } from '../../api/request.ts'
import { deviceStorage } from '../../shared/lib/safe-storage.ts'
import type { SafeStorage } from '../../shared/lib/safe-storage.ts'
import { removeCopies } from '../keys/own-keys.ts'
import { isKnownDevice } from '../session/known-device.ts'
import { arrival, recordKey } from './arrival.ts'
import { leftAlone } from './left-alone.ts'

/** `owed`: recorded and not yet confirmed by the server; `sending`: the request is in flight. */
export type LockStatus = 'settled' | 'sending' | 'owed'

export interface PendingLockOptions {
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

/** A lock that may not have reached the server yet. Until it has, nothing behind the calculator opens. */
export function createPendingLock({
  storage,
  send,
  isKnownDevice,
  isArmed,
  wasLeftAlone,
}: PendingLockOptions) {
  const listeners = new Set<() => void>()
  let status: LockStatus = mustLockFirst() ? 'owed' : 'settled'
  let settling: Promise<boolean> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  /** Without storage every load locks, because an earlier page could not record its lock. */
  function mustLockFirst(): boolean {
    if (storage.get(recordKey) !== null && isArmed?.() !== true) return true
    if (wasLeftAlone?.() === true) {
      storage.set(recordKey, '1')
      return true
    }
    const isStored = storage.set(probeKey, '1')
    storage.remove(probeKey)
    return !isStored && isKnownDevice()
  }

  const close = () => {
    if (status === 'settled') change('owed')
  }
  const change = (next: LockStatus) => {
    if (next === status) return
    status = next
    for (const listener of listeners) listener()
  }

  const attempt = async (): Promise<boolean> => {
    clearTimeout(retry)
    change('sending')
    let answer = await send()
    // The CSRF token was outdated: each call fetches a new one.
    if ('error' in answer && answer.error.status === 403) answer = await send()
    if (!('error' in answer) || answer.error.status === 401) {
      storage.remove(recordKey)
      removeCopies()
      change('settled')
      return true
    }
    change('owed')
    retry = setTimeout(() => void settle(), retryMs)
    return false
  }

  /** Sends a recorded lock. Resolves to true once the session is known to be locked or ended. */
  function settle(): Promise<boolean> {
    if (status === 'settled') return Promise.resolve(true)
    settling ??= attempt().finally(() => {
      settling = undefined
    })
    return settling
  }

  return {
    status: (): LockStatus => status,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Closes everything behind the calculator, in this page and after a reload, until the lock is settled. */
    record: (): void => {
      storage.set(recordKey, '1')
      removeCopies()
      close()
    },
    /** Closes this page only: another tab recorded the lock. */
    close,
    /** Records the lock for the next load: this page does not know yet whether the session is unlocked. */
    arm: (): void => void storage.set(recordKey, '1'),
    disarm: (): void => {
      if (status === 'settled') storage.remove(recordKey)
    },
    settle,
  }
}

export const pendingLock = createPendingLock({
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
export function watchPendingLock(): void {
  window.addEventListener('online', () => void pendingLock.settle())
  void pendingLock.settle()
}
