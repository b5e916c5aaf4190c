import type { ConversationState, ConversationView } from '@sumlock/sync/conversation-view'
import type { Draft } from '@sumlock/sync/ports'
import { randomId } from '@sumlock/sync/random-id'
import { useCallback, useEffect } from 'react'
import { useAppDispatch } from '../../api/store.ts'
import { useSession } from '../../page.ts'
import { emptyConversation } from '../conversations/conversation-views.ts'
import { messagingApi, useGetMessagesQuery } from '../conversations/messaging-api.ts'

/** One conversation on the screen. While it is shown, what arrives counts as read. */
export function useConversation(conversationId: string): {
  state: ConversationState
  view: ConversationView | null
} {
  const { views } = useSession()
  const { currentData } = useGetMessagesQuery(conversationId)
  const opened = currentData ? (views.get(conversationId) ?? null) : null

  useEffect(() => {
    if (!opened) return
    const onVisibility = () => opened.setVisible(!document.hidden)
    const onFocus = () => opened.onFocus()
    onVisibility()
    document.addEventListener('visibilitychange', onVisibility)
    window.addEventListener('focus', onFocus)
    window.addEventListener('online', onFocus)
    return () => {
      opened.setVisible(false)
      document.removeEventListener('visibilitychange', onVisibility)
      window.removeEventListener('focus', onFocus)
      window.removeEventListener('online', onFocus)
    }
  }, [opened])

  return { state: currentData ?? emptyConversation, view: opened }
}

/**
 * Sends into a conversation, and resolves when the message is in the outbox. Not part of `useConversation`, so that a
 * composer does not render with each message.
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
