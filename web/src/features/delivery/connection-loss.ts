import { createListeners } from '@sumlock/sync/listeners'
import type { LiveConnection, SyncClock } from '@sumlock/sync/ports'
import type { Network } from '../device/network.ts'

const graceMs = 2000

/**
 * `isLasting` is true when the live connection has been missing for 2 s; shorter losses are not reported. A browser
 * that is offline counts as a loss, because it detects this long before the connection does.
 */
export interface ConnectionLoss {
  readonly isLasting: boolean
  subscribe(listener: () => void): () => void
  close(): void
}

/** Follows a connection. The session and not a screen does so, because a change of screens must not restart the 2 s. */
export function followLoss(live: LiveConnection, clock: SyncClock, network: Network): ConnectionLoss {
  let isLasting = false
  let timer: unknown
  const changed = createListeners<[]>()
  const set = (value: boolean) => {
    if (value === isLasting) return
    isLasting = value
    changed.emit()
  }
  const follow = (isConnected: boolean) => {
    clock.clearTimeout(timer)
    timer = isConnected ? undefined : clock.setTimeout(() => set(true), graceMs)
    if (isConnected) set(false)
  }
  const isConnected = () => live.state.connected && network.isOnline()
  let wasConnected = isConnected()
  follow(wasConnected)
  const update = () => {
    const connected = isConnected()
    if (connected !== wasConnected) follow(connected)
    wasConnected = connected
  }
  const stops = [live.subscribe({ onState: update }), network.subscribe(update)]
  return {
    get isLasting() {
      return isLasting
    },
    subscribe: changed.add,
    close: () => {
      clock.clearTimeout(timer)
      for (const stop of stops) stop()
    },
  }
}
