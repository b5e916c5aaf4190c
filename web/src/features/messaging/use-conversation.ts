import { openConversation } from '@sumlock/sync/conversation-view'
import type { ConversationState, ConversationView } from '@sumlock/sync/conversation-view'
import { systemClock } from '@sumlock/sync/system-clock'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useMessaging } from './messaging-context.ts'
import { syncApi } from './messaging-api.ts'

const nothing: ConversationState = {
  messages: [],
  pending: [],
  loaded: false,
  hasOlder: false,
  loadingOlder: false,
  error: null,
}

/** One open conversation, held by the sync engine as long as the screen shows it. */
export function useConversation(conversationId: string): {
  state: ConversationState
  view: ConversationView | null
} {
  const { userId, live, outbox } = useMessaging()
  const [view, setView] = useState<ConversationView | null>(null)

  useEffect(() => {
    const visible = !document.hidden
    const opened = openConversation({
      conversationId,
      userId,
      api: syncApi,
      live,
      outbox,
      clock: systemClock,
      visible,
    })
    const onVisibility = () => opened.setVisible(!document.hidden)
    const onFocus = () => opened.onFocus()
    document.addEventListener('visibilitychange', onVisibility)
    window.addEventListener('focus', onFocus)
    window.addEventListener('online', onFocus)
    setView(opened)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      window.removeEventListener('focus', onFocus)
      window.removeEventListener('online', onFocus)
      opened.close()
      setView(null)
    }
  }, [conversationId, userId, live, outbox])

  const subscribe = useCallback(
    (listener: () => void) => view?.subscribe(listener) ?? (() => undefined),
    [view],
  )
  const state = useSyncExternalStore(subscribe, () => view?.getState() ?? nothing)
  return { state, view }
}
