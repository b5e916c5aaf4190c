import type { ConversationView } from '@sumlock/sync/conversation-view'
import type { ConversationState } from '@sumlock/sync/known-messages'
import { useEffect, useRef, useState } from 'react'

/**
 * Loads earlier messages, page after page, while they are wanted. After a page that did not come it waits for a retry.
 */
export function useOlderPages(
  state: ConversationState,
  view: ConversationView | undefined,
  isWanted: boolean,
) {
  const first = state.messages[0]?.seq
  /** The last page was asked for before this seq. If the list still begins there, it did not come. */
  const askedBefore = useRef<number>(undefined)
  const [failedBefore, setFailedBefore] = useState<number>()
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (!isWanted) {
      askedBefore.current = undefined
      return setFailedBefore(undefined)
    }
    if (!view || view.getState().loadingOlder || !state.hasOlder || first === undefined) return
    if (askedBefore.current === first) return setFailedBefore(first)
    askedBefore.current = first
    // A quick failure does not change what is rendered, so the next round looks at it.
    void view.loadOlder().then(() => setRound((count) => count + 1))
  }, [isWanted, view, state, first, round])
  const retry = () => {
    askedBefore.current = undefined
    setFailedBefore(undefined)
    setRound(round + 1)
  }
  return { isFailed: first !== undefined && failedBefore === first, retry }
}
