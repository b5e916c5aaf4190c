import type { Message } from '@sumlock/contracts/messaging-routes'

type Named = Pick<Message, 'senderId' | 'clientMessageId'>

/**
 * Names the bubble of a message by what its sender has sealed with it, because a server may give two messages the same
 * id. An own one keeps the name that it had before it was stored, and a partner cannot choose such a name.
 */
export const bubbleName = ({ senderId, clientMessageId }: Named, isOwn: boolean): string =>
  isOwn ? clientMessageId : `${senderId} ${clientMessageId}`

/** Finds the stored message of a bubble. */
export const messageOfBubble = (
  messages: readonly Message[],
  name: string | undefined,
  userId: string,
): Message | undefined =>
  messages.find((message) => bubbleName(message, message.senderId === userId) === name)
