import type { ConversationState, ConversationView } from '@sumlock/sync/conversation-view'
import type { Draft } from '@sumlock/sync/ports'
import { randomId } from '@sumlock/sync/random-id'
import { useEffect, useMemo } from 'react'
import { useAppDispatch } from '../../app/store.ts'
import { emptyConversation, viewOf } from './conversation-views.ts'
import { messagingApi, useGetMessagesQuery } from './messaging-api.ts'

/** One conversation on the screen. While it is shown, what arrives counts as read. */
export function useConversation(conversationId: string): {
  state: ConversationState
  view: ConversationView | null
} {
  const dispatch = useAppDispatch()
  const { currentData } = useGetMessagesQuery(conversationId)
  const opened = currentData ? viewOf(conversationId) : null

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

  const view = useMemo(() => {
    if (!opened) return null
    const { sendMessage } = messagingApi.endpoints
    const send = (draft: Draft) => {
      const clientMessageId = randomId()
      void dispatch(sendMessage.initiate({ conversationId, clientMessageId, draft }, { track: false }))
      return clientMessageId
    }
    return { ...opened, send }
  }, [opened, conversationId, dispatch])
  return { state: currentData ?? emptyConversation, view }
}
