import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ReplyTo } from '@sumlock/sync/ports'
import { lookOf, textOf } from '../../sealed/look.ts'
import { messageOfBubble } from '../message-of-bubble.ts'

/**
 * Returns the name of a message that can be answered; null if it is empty, cannot be read, opens once, or does not exist.
 */
export function answerable(message: Message | undefined): ReplyTo | null {
  if (!message || message.isUnsent || message.isOnce) return null
  const { senderId: by, clientMessageId: id, seq, mediaUrl } = message
  const text = textOf(lookOf(message), message)
  return text === null || (text === '' && mediaUrl === null) ? null : { by, id, seq }
}

/** Begins to answer the focused message after the key R. */
export function replyByKey(
  event: KeyboardEvent,
  { messages, userId }: { messages: readonly Message[]; userId: string },
  onReply: ((re: ReplyTo) => void) | undefined,
): void {
  const { key, target } = event
  if (!onReply || key.toLowerCase() !== 'r' || event.ctrlKey || event.metaKey || event.altKey) return
  if (!(target instanceof HTMLElement) || !target.matches('article')) return
  const re = answerable(messageOfBubble(messages, target.dataset['message'], userId))
  if (!re) return
  event.preventDefault()
  onReply(re)
}
