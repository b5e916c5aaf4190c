import type { Message } from '@sumlock/contracts/messaging-routes'

/** Finds the stored message of a bubble. The bubble of an own one was named by its clientMessageId until it was stored. */
export const messageOfBubble = (
  messages: readonly Message[],
  id: string | undefined,
  userId: string,
): Message | undefined =>
  messages.find(
    (message) => message.id === id || (message.senderId === userId && message.clientMessageId === id),
  )
