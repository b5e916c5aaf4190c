import { openConversation } from '@sumlock/sync/conversation-view'
import type { ConversationState, ConversationView } from '@sumlock/sync/conversation-view'
import { systemClock } from '@sumlock/sync/system-clock'
import { presentMessaging } from './present-messaging.ts'
import { syncApi } from './sync-api.ts'

export const emptyConversation: ConversationState = {
  messages: [],
  pending: [],
  loaded: false,
  hasOlder: false,
  loadingOlder: false,
  error: null,
}

const views = new Map<string, ConversationView>()

/** The open view of a conversation whose messages are in the cache. */
export const viewOf = (conversationId: string): ConversationView | null => views.get(conversationId) ?? null

/** Opens a conversation until it is closed. `onRead` is told how far the server knows it to be read by the viewer. */
export function openView(conversationId: string, onRead: (seq: number) => void): ConversationView {
  const { userId, live, outbox } = presentMessaging()
  const view = openConversation({
    conversationId,
    userId,
    api: {
      ...syncApi,
      markRead: async (id, seq, signal) => {
        await syncApi.markRead(id, seq, signal)
        onRead(seq)
      },
    },
    live,
    outbox,
    clock: systemClock,
    visible: !document.hidden,
  })
  const close = () => {
    if (views.get(conversationId) === opened) views.delete(conversationId)
    view.close()
  }
  const opened = { ...view, close }
  views.set(conversationId, opened)
  return opened
}
