import type { SyncClock } from '@sumlock/sync/ports'
import { createScheduler } from '@sumlock/sync/scheduler'
import { loadOfflineParts } from '../../app/chunks/unlocked.tsx'
import { api } from '../../api/base-api.ts'
import type { Page } from '../../page.ts'
import type { AppDispatch } from '../../api/store.ts'
import type { ChangesPoller } from './changes-poller.ts'
import { messagingApi } from './messaging-api.ts'
import type { Session } from './open-session.ts'

const minGapMs = 1000
const retryMs = 3000

export interface ListRefresher {
  /** Fetches the changes at once, but at most once a second. */
  changes(): void
  /** Fetches the list at once, but at most once a second. */
  list(): void
  /** Fetches the list and the user, because quota or plan may have changed. */
  limits(): void
  close(): void
}

/**
 * Fetches the list on demand, and whenever it is uncertain whether a change left the list complete. On a visible page
 * it polls for changes while events may be missing or the last call has failed, at an interval that the server chooses.
 */
export function createListRefresher(
  page: Page,
  session: Pick<Session, 'live' | 'list' | 'text' | 'views'>,
  dispatch: AppDispatch,
  clock: SyncClock,
): ListRefresher {
  const { live } = session
  let isListWanted = false
  let isUserOutdated = false
  let hasFailed = false
  let poller: ChangesPoller | undefined
  const work = async () => {
    if (isUserOutdated) dispatch(api.util.invalidateTags(['User']))
    isUserOutdated = false
    const { listConversations } = messagingApi.endpoints
    // A running fetch does not suffice: the server may have answered it before the change that caused this call.
    await dispatch(messagingApi.util.getRunningQueryThunk('listConversations', undefined))
    // If the poller cannot be loaded, the list is fetched instead.
    poller ??= (await loadOfflineParts())?.createChangesPoller(page, session, dispatch)
    const isDemanded = isListWanted
    const outcome = isDemanded ? 'list' : await poller?.poll()
    hasFailed = outcome === 'failed'
    if (hasFailed || outcome === 'done') return
    isListWanted = false
    const fetched = dispatch(listConversations.initiate(undefined, { forceRefetch: true, subscribe: false }))
    hasFailed = (await fetched).isError
    isListWanted ||= hasFailed && isDemanded
  }
  const nextDelayMs = () => {
    const mayMissEvents = !live.state.connected || live.state.degraded
    return (mayMissEvents || hasFailed) && !document.hidden ? (poller?.pollAfterMs ?? retryMs) : null
  }
  const scheduler = createScheduler({ clock, work, nextDelayMs, minGapMs })
  const list = () => {
    isListWanted = true
    scheduler.now()
  }
  const stops = [live.subscribe({ onState: scheduler.replan }), session.list.onUncertain(list)]
  document.addEventListener('visibilitychange', scheduler.replan)
  scheduler.replan()
  return {
    changes: scheduler.now,
    list,
    limits() {
      isUserOutdated = true
      list()
    },
    close() {
      document.removeEventListener('visibilitychange', scheduler.replan)
      for (const stop of stops) stop()
      scheduler.close()
    },
  }
}
