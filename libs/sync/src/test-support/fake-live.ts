import type { ServerEvent } from '@sumlock/contracts/socket'
import { createListeners } from '../listeners.ts'
import type { LiveConnection, LiveListener, LiveState } from '../ports.ts'

/** Returns a connection whose events and states are set by the test. */
export function fakeLive(initial: Partial<LiveState> = {}) {
  let state: LiveState = { connected: true, degraded: false, refusal: null, ...initial }
  const listeners = createListeners<[(listener: LiveListener) => void]>()
  const live: LiveConnection = {
    get state() {
      return state
    },
    subscribe: (listener) => listeners.add((call) => call(listener)),
    reconnect: () => undefined,
    close: () => undefined,
  }
  return {
    live,
    emit: (event: ServerEvent) => listeners.emit((listener) => listener.onEvent?.(event)),
    failAttempt: () => listeners.emit((listener) => listener.onFailedAttempt?.()),
    fail: (reason: string) => listeners.emit((listener) => listener.onError?.(reason)),
    set(change: Partial<LiveState>) {
      state = { ...state, ...change }
      listeners.emit((listener) => listener.onState?.(state))
    },
  }
}
