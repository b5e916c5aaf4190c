import { openConversation } from '@sumlock/sync/conversation-view'
import type { ConversationView } from '@sumlock/sync/conversation-view'
import type { ConversationState } from '@sumlock/sync/known-messages'
import type { Cell } from '@sumlock/sync/ports'
import { systemClock } from '@sumlock/sync/system-clock'
import type { Page } from '../../page.ts'
import { dropUnsent } from './drop-unsent.ts'
import type { Session } from './open-session.ts'

/** Leaves a deleted conversation. Its messages may be in memory, which only a new page clears. */
export async function leaveDeleted({ session, location }: Page, conversationId: string): Promise<void> {
  if (!session) return
  const isOpen = session.views.has(conversationId)
  await dropUnsent(session, conversationId)
  if (isOpen) location.replace('/messaging')
}

export interface ViewOptions {
  cell: Cell<ConversationState>
  /** If there are unread messages, the person has read up to this seq. */
  readSeq: number | undefined
  /** The row of the list has counted so many changes of messages. */
  version: number | undefined
  /** Receives the seq up to which the server has recorded the conversation as read. */
  onRead: (seq: number) => void
}

/** Opens a conversation until `close` is called. */
export function openView(
  { userId, api, live, outbox, vanishing, views }: Session,
  conversationId: string,
  { cell, readSeq, version, onRead }: ViewOptions,
): ConversationView {
  const view = openConversation({
    conversationId,
    userId,
    cell,
    readSeq,
    version,
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
    vanishing,
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
