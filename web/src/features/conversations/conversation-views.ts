import { openConversation } from '@sumlock/sync/conversation-view'
import type { ConversationView } from '@sumlock/sync/conversation-view'
import type { ConversationState } from '@sumlock/sync/known-messages'
import type { Cell } from '@sumlock/sync/ports'
import { systemClock } from '@sumlock/sync/system-clock'
import type { Page } from '../../page.ts'
import type { Session } from './open-session.ts'

/** Leaves a deleted conversation. Its messages may be in memory, which only a new page clears. */
export function leaveDeleted({ session, location }: Page, conversationId: string): void {
  if (session?.views.has(conversationId)) location.replace('/messaging')
}

/**
 * Opens a conversation until `close` is called. `onRead` receives the seq up to which the server has recorded the
 * conversation as read.
 */
export function openView(
  { userId, api, live, outbox, views }: Session,
  conversationId: string,
  cell: Cell<ConversationState>,
  onRead: (seq: number) => void,
): ConversationView {
  const view = openConversation({
    conversationId,
    userId,
    cell,
    api: {
      ...api,
      markRead: async (id, seq, signal) => {
        // The chat is drawn before the answer, so that a line stands above what was unread.
        await nextFrame()
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
    if (views.get(conversationId) === opened) views.delete(conversationId)
    view.close()
  }
  const opened = { ...view, close }
  views.set(conversationId, opened)
  return opened
}

const nextFrame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()))
