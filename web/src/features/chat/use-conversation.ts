import type { ConversationView } from '@sumlock/sync/conversation-view'
import { emptyConversation } from '@sumlock/sync/known-messages'
import type { ConversationState } from '@sumlock/sync/known-messages'
import type { Draft, OutboxItem } from '@sumlock/sync/ports'
import { randomId } from '@sumlock/sync/random-id'
import { shownConversation } from '@sumlock/sync/shown-conversation'
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { useAppDispatch } from '../../api/store.ts'
import { useSession } from '../../page.ts'
import { messagingApi, useGetMessagesQuery } from '../conversations/messaging-api.ts'
import { withEdit } from '../sealed/look.ts'

export interface ShownConversation {
  state: ConversationState
  pending: readonly OutboxItem[]
  /** The view is null until the conversation's messages are in the cache. */
  view: ConversationView | null
}

/** Returns the messages of a conversation as they are after the acts that have no answer yet. */
export function useShownMessages(conversationId: string): Omit<ShownConversation, 'view'> {
  const { outbox, userId } = useSession()
  const { currentData: state = emptyConversation } = useGetMessagesQuery(conversationId)
  const items = useSyncExternalStore(outbox.subscribe, () => outbox.items)
  const acts = useSyncExternalStore(outbox.subscribe, () => outbox.acts)
  const { messages, pending } = useMemo(
    () => shownConversation({ ...state, items, acts }, { conversationId, userId }, withEdit),
    [state, items, acts, conversationId, userId],
  )
  return { state: messages === state.messages ? state : { ...state, messages }, pending }
}

/** Shows one conversation. Messages that arrive while it is shown count as read. */
export function useConversation(conversationId: string): ShownConversation {
  const { views } = useSession()
  const shown = useShownMessages(conversationId)

  useEffect(() => {
    // The view is looked up at each event, because it opens after this effect if the conversation is shown for the
    // first time.
    const view = () => views.get(conversationId)
    const onVisibility = () => view()?.setVisible(!document.hidden)
    const onFocus = () => view()?.onFocus()
    onVisibility()
    document.addEventListener('visibilitychange', onVisibility)
    window.addEventListener('focus', onFocus)
    window.addEventListener('online', onFocus)
    return () => {
      view()?.setVisible(false)
      document.removeEventListener('visibilitychange', onVisibility)
      window.removeEventListener('focus', onFocus)
      window.removeEventListener('online', onFocus)
    }
  }, [views, conversationId])

  return { ...shown, view: views.get(conversationId) ?? null }
}

/**
 * Returns a function that sends into a conversation and resolves when the message is in the outbox. It is separate from
 * `useConversation`, so that a composer does not render with each message.
 */
export function useSend(
  conversationId: string,
): (draft: Draft, options?: { clientMessageId?: string; endsDraft?: boolean }) => Promise<void> {
  const dispatch = useAppDispatch()
  return useCallback(
    async (draft, { clientMessageId = randomId(), endsDraft = false } = {}) => {
      const { sendMessage } = messagingApi.endpoints
      const args = { conversationId, clientMessageId, draft, endsDraft }
      await dispatch(sendMessage.initiate(args, { track: false }))
    },
    [conversationId, dispatch],
  )
}
