import type { MessageName } from '@sumlock/sync/ports'
import { randomId } from '@sumlock/sync/random-id'
import { useSelector } from 'react-redux'
import type { RootState } from '../../api/store.ts'
import { usePage, useSession } from '../../page.ts'
import { listOf } from '../conversations/messaging-api.ts'
import { lookOf } from '../sealed/look.ts'
import { messageOfBubble } from './message-of-bubble.ts'
import { emojiOf, ownOf, waitingReactions } from './reaction-chips.ts'
import type { OpenedReaction } from './reaction-chips.ts'
import { useShownMessages } from './use-conversation.ts'

/** Sends a reaction that replaces the own one. Null takes that one back, and so does its own emoji. */
export type SendReaction = (
  target: MessageName,
  own: OpenedReaction | undefined,
  emoji: string | null,
) => void

/** Returns a function that reacts to messages; null where the person may not, as where nothing can be written. */
export function useReact(conversationId: string): SendReaction | null {
  const { outbox } = useSession()
  const { toast } = usePage().toasts
  // Each bubble with a reaction asks, and a hook of the query costs more than this.
  const mayReact = useSelector((state: RootState) => {
    const row = listOf(state)?.find(({ id }) => id === conversationId)
    return row !== undefined && !row.isBlocked && !row.isRequest && !row.otherUser.isGone
  })
  if (!mayReact) return null
  return (target, own, emoji) => {
    const isRemoval = emoji === null || (own !== undefined && emojiOf(own) === emoji)
    const act = { conversationId, clientMessageId: randomId(), act: 'reaction' as const, target }
    outbox.act({ ...act, replaces: own?.id ?? null, ...(!isRemoval && { content: emoji }) })
    if (isRemoval) toast({ title: 'Reaction removed' })
  }
}

const isOnce = (message: object) => 'isOnce' in message && message.isOnce === true

export interface ReactionToMessage {
  /** The emoji that the person has chosen before. */
  ownEmoji: string | null
  react: (emoji: string) => void
}

/**
 * Finds the message of a bubble by the name that the bubble carries. Returns null if nobody can react to it: it is empty,
 * has failed, opens once, or cannot be read on this device.
 */
export function useReactionTo(conversationId: string, id: string | undefined): ReactionToMessage | null {
  const { userId, outbox } = useSession()
  const react = useReact(conversationId)
  const { state, pending } = useShownMessages(conversationId)
  if (!react) return null
  const to = (target: MessageName, reactions: readonly OpenedReaction[] | undefined) => {
    const own = ownOf(reactions, userId)
    return {
      ownEmoji: (own && emojiOf(own)) ?? null,
      react: (emoji: string) => react(target, own, emoji),
    }
  }
  const item = pending.find(({ message }) => message.clientMessageId === id)
  if (item) {
    const target = { by: userId, id: item.message.clientMessageId }
    return item.status === 'failed' || isOnce(item.message)
      ? null
      : to(target, waitingReactions(outbox.acts, target))
  }
  const message = messageOfBubble(state.messages, id, userId)
  if (!message || isOnce(message) || (message.content === '' && message.mediaUrl === null)) return null
  if (lookOf(message).state === 'closed') return null
  return to({ by: message.senderId, id: message.clientMessageId }, message.reactions)
}
