import { openConversation } from '@sumlock/sync/conversation-view'
import type { ConversationState, ConversationView } from '@sumlock/sync/conversation-view'
import { systemClock } from '@sumlock/sync/system-clock'
import { page } from '../device/page.ts'
import { presentMessaging } from './present-messaging.ts'

export const emptyConversation: ConversationState = {
  messages: [],
  pending: [],
  loaded: false,
  hasOlder: false,
  loadingOlder: false,
  error: null,
}

/** By conversation, those whose messages are in the cache. */
export const openViews = new Map<string, ConversationView>()

/** The open view of a conversation whose messages are in the cache. */
export const viewOf = (conversationId: string): ConversationView | null =>
  openViews.get(conversationId) ?? null

/** Leaves a conversation that was deleted. Its messages may be in memory: only a new page forgets them. */
export function leaveDeleted(conversationId: string): void {
  if (openViews.has(conversationId)) page.replace('/messaging')
}

/** Opens a conversation until it is closed. `onRead` is told how far the server knows it to be read by the viewer. */
export function openView(conversationId: string, onRead: (seq: number) => void): ConversationView {
  const { userId, api, live, outbox } = presentMessaging()
  const view = openConversation({
    conversationId,
    userId,
    api: {
      ...api,
      markRead: async (id, seq, signal) => {
        await api.markRead(id, seq, signal)
        onRead(seq)
      },
    },
    live,
    outbox,
    clock: systemClock,
    visible: !document.hidden,
  })
  const close = () => {
    if (openViews.get(conversationId) === opened) openViews.delete(conversationId)
    view.close()
  }
  const opened = { ...view, close }
  openViews.set(conversationId, opened)
  return opened
}
