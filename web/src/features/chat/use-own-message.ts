import { limits } from '@sumlock/contracts/limits'
import type { Message } from '@sumlock/contracts/messaging-routes'
import type { MessageName, OutgoingMessage } from '@sumlock/sync/ports'
import { usePage, useSession } from '../../page.ts'
import { useShownMessages } from './use-conversation.ts'

/** An own message that the person can still change. */
export interface OwnMessage {
  conversationId: string
  name: MessageName
  /** The message as it is shown, stored or not. */
  message: Message | OutgoingMessage
}

const hourMs = 3_600_000

/**
 * Finds the message of a bubble by the id that the bubble carries. Returns null if it belongs to the partner, was taken
 * back, has failed, or is too old.
 */
export function useOwnMessage(conversationId: string, id: string | undefined): OwnMessage | null {
  const { client } = usePage()
  const { userId } = useSession()
  const { state, pending } = useShownMessages(conversationId)
  const named = (message: OwnMessage['message']): OwnMessage => {
    return { conversationId, name: { by: userId, id: message.clientMessageId }, message }
  }
  const item = pending.find(({ message }) => message.clientMessageId === id)
  // A failed message has its own buttons.
  if (item) return item.status === 'failed' ? null : named(item.message)
  const stored = state.messages.find((message) => message.id === id)
  if (stored?.senderId !== userId || stored.isUnsent) return null
  const ageMs = client.nowMs() - Date.parse(stored.createdAt)
  return ageMs < limits.actHours * hourMs ? named(stored) : null
}
