import type { LiveConnection, SyncClock } from '@sumlock/sync/ports'
import { createRepeater } from '@sumlock/sync/repeater'
import { api } from '../../api/base-api.ts'
import type { AppDispatch } from '../../app/store.ts'
import { onListUncertain } from './list-changes.ts'
import { messagingApi } from './messaging-api.ts'

const minGapMs = 1000
const pollMs = 3000

export interface ListRefresher {
  /** Fetches the list: at once, but not twice in a second. */
  list(): void
  /** Also fetches the user, because quota or plan may have changed. */
  limits(): void
  close(): void
}

/**
 * Fetches the list on demand, whenever a change of it was uncertain, and on a visible page every 3 s while events may be
 * missing or the last fetch has failed.
 */
export function createListRefresher(
  live: LiveConnection,
  dispatch: AppDispatch,
  clock: SyncClock,
): ListRefresher {
  let isUserOutdated = false
  let hasFailed = false
  const work = async () => {
    if (isUserOutdated) dispatch(api.util.invalidateTags(['User']))
    isUserOutdated = false
    const { listConversations } = messagingApi.endpoints
    // A fetch that is in flight may have been answered before the reason for this one.
    await dispatch(messagingApi.util.getRunningQueryThunk('listConversations', undefined))
    const fetched = dispatch(listConversations.initiate(undefined, { forceRefetch: true, subscribe: false }))
    hasFailed = (await fetched).isError
  }
  const nextDelayMs = () => {
    const mayMissEvents = !live.state.connected || live.state.degraded
    return (mayMissEvents || hasFailed) && !document.hidden ? pollMs : null
  }
  const repeater = createRepeater({ clock, work, nextDelayMs, minGapMs })
  const stops = [live.subscribe({ onState: repeater.replan }), onListUncertain(repeater.now)]
  document.addEventListener('visibilitychange', repeater.replan)
  repeater.replan()
  return {
    list: repeater.now,
    limits() {
      isUserOutdated = true
      repeater.now()
    },
    close() {
      document.removeEventListener('visibilitychange', repeater.replan)
      for (const stop of stops) stop()
      repeater.close()
    },
  }
}
