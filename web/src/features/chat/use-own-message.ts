import { limits } from '@sumlock/contracts/limits'
import type { Message } from '@sumlock/contracts/messaging-routes'
import type { VanishMs } from '@sumlock/contracts/primitives'
import type { ActItem, MessageName, OutboxItem, ReplyTo } from '@sumlock/sync/ports'
import { usePage, useSession } from '../../page.ts'
import { lookOf, textOf } from '../sealed/look.ts'
import { messageOfBubble } from './message-of-bubble.ts'
import { useShownMessages } from './use-conversation.ts'

/** An own message that the person can still change. */
export interface OwnMessage {
  conversationId: string
  name: MessageName
  isText: boolean
  /** The text or caption; null if it cannot be edited. */
  text: string | null
  /** The next edit replaces this one; null for the content first sent. */
  replaces: string | null
  mediaUrl: string | null
  /** Describes the sealed file of the message. */
  media?: unknown
  /** The message answers this one. */
  re?: ReplyTo | undefined
  vanishMs?: VanishMs | undefined
  /** The message has a file that is not sealed. */
  isPlain?: true | undefined
}

const hourMs = 3_600_000

/**
 * Finds the message of a bubble by the name that the bubble carries. Returns null if it belongs to the partner, was taken
 * back, has vanished or failed, or is too old.
 */
export function useOwnMessage(conversationId: string, id: string | undefined): OwnMessage | null {
  const { client } = usePage()
  const { userId, outbox } = useSession()
  const { state, pending } = useShownMessages(conversationId)
  const item = pending.find(({ message }) => message.clientMessageId === id)
  const stored = messageOfBubble(state.messages, id, userId)
  const common = {
    conversationId,
    name: { by: userId, id: (item?.message ?? stored)?.clientMessageId ?? '' },
  }
  if (item) {
    const isEdit = ({ message: { act, target } }: ActItem) => act === 'edit' && target.id === common.name.id
    const replaces = outbox.acts.findLast(isEdit)?.message.clientMessageId ?? null
    // A failed message has its own buttons.
    return item.status === 'failed' ? null : { ...common, replaces, ...ofItem(item) }
  }
  if (stored?.senderId !== userId || stored.isUnsent || stored.isVanished) return null
  const ageMs = client.nowMs() - Date.parse(stored.createdAt)
  return ageMs < limits.actHours * hourMs ? { ...common, ...ofStored(stored) } : null
}

type OfMessage = Pick<OwnMessage, 'isText' | 'text' | 'mediaUrl' | 'media' | 're' | 'vanishMs' | 'isPlain'>

function ofItem({ message }: OutboxItem): OfMessage {
  const isText = message.messageType === 'text'
  const { mediaUrl, media } = isText ? { mediaUrl: null, media: undefined } : message
  const hasCaption = message.messageType !== 'voice' && (isText || !message.isOnce)
  const text = hasCaption ? (message.content ?? '') : null
  return {
    isText,
    text,
    mediaUrl,
    media,
    re: message.re,
    vanishMs: message.vanishMs,
    isPlain: isPlainFile(mediaUrl, media !== undefined),
  }
}

function ofStored(message: Message): OfMessage & Pick<OwnMessage, 'replaces'> {
  const { messageType, mediaUrl, sealed, edit, vanishMs, isOnce } = message
  const look = lookOf(message)
  const { media, re } = look.state === 'open' ? look.body : {}
  const text = messageType === 'voice' || isOnce ? null : textOf(look, message)
  const isPlain = isPlainFile(mediaUrl, sealed !== undefined)
  const isText = messageType === 'text'
  return { isText, text, mediaUrl, media, re, vanishMs, isPlain, replaces: edit?.id ?? null }
}

const isPlainFile = (mediaUrl: string | null, isSealed: boolean) =>
  mediaUrl !== null && !isSealed ? true : undefined
