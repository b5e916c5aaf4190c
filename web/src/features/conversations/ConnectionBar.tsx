import { useSyncExternalStore } from 'react'
import { asApiError } from '../../api/base-api.ts'
import { messagingApi } from './messaging-api.ts'
import { useSession } from '../../page.ts'
import { browserNetwork } from '../device/network.ts'

/** Reports that the live connection is lost, and whether the server cannot be reached at all. */
export function ConnectionBar() {
  const { loss } = useSession()
  const isLost = useSyncExternalStore(loss.subscribe, () => loss.isLasting)
  const isOnline = useSyncExternalStore(browserNetwork.subscribe, browserNetwork.isOnline)
  // A poll without an answer fetches the list. If that gets no answer either, there is no connection at all.
  const { isUnanswered } = messagingApi.endpoints.listConversations.useQueryState(undefined, {
    selectFromResult: ({ error }) => ({ isUnanswered: asApiError(error)?.status === 0 }),
  })
  const isUnreachable = !isOnline || isUnanswered
  return (
    <div role="status">
      {isLost && (
        <p className="bg-surface-2 px-4 py-1 text-center text-sm text-ink-2">
          {isUnreachable ? 'No connection. Messages are sent when you are back.' : 'Connecting…'}
        </p>
      )}
    </div>
  )
}
