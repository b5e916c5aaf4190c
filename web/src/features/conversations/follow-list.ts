import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ServerEvent } from '@sumlock/contracts/socket'
import type { Page } from '../../page.ts'
import {
  conversationDeleted,
  conversationNamed,
  messageChanged,
  messagesRead,
  messageStored,
} from './conversation-list.ts'
import type { ConversationList, ListChange } from './conversation-list.ts'
import { leaveDeleted } from './conversation-views.ts'
import type { Session } from './open-session.ts'
import { nextPreviewEndMs, previewsVanished } from './vanishing-previews.ts'

export interface ChangingList {
  rows: () => ConversationList | undefined
  change: (change: ListChange) => void
  /** Returns the messages of a conversation that the page holds, without a gap. */
  held: (conversationId: string) => readonly Message[]
}

/** Applies events, and the messages that this page has sent, to the list. Returns a function that ends this. */
export function followList(
  page: Page,
  {
    live,
    outbox,
    userId,
    list,
    vanishing,
  }: Pick<Session, 'live' | 'outbox' | 'userId' | 'list' | 'vanishing'>,
  { rows, change, held }: ChangingList,
): () => void {
  const onStored = (message: Message) => {
    const isCounted = !message.version && message.senderId === userId && mayCount(message, rows())
    change(message.version ? messageChanged(message) : messageStored(message, userId))
    if (isCounted) list.mayHaveCounted()
  }
  const onEvent = (event: ServerEvent) => {
    if (event.type === 'new_message') onStored(event.data)
    else if (event.type === 'message_read')
      change(messagesRead(event.data, userId, held(event.data.conversationId)))
    else if (event.type === 'conversation_started') change(conversationNamed(event.data.conversationId))
    else if (event.type === 'conversation_deleted') {
      change(conversationDeleted(event.data.conversationId))
      void leaveDeleted(page, event.data.conversationId)
    }
  }
  const vanish = (nowMs: number) => {
    if (nextPreviewEndMs(rows() ?? [], userId) <= nowMs) change(previewsVanished(userId, nowMs))
    return nextPreviewEndMs(rows() ?? [], userId)
  }
  const stops = [live.subscribe({ onEvent }), outbox.onStored(onStored), vanishing.add(vanish)]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Returns whether an own message is not in the list yet and may have used up a free message. */
function mayCount({ conversationId, seq }: Message, rows: ConversationList | undefined): boolean {
  const known = rows?.find(({ id }) => id === conversationId)
  return !known || (!known.unlimited && seq > known.lastSeq)
}
