import type { Message } from './messaging-routes.ts'

/** Returns a message that opens once as its sender is told of it when it is stored. */
export function withoutContent(message: Message): Message {
  const { sealed: _sealed, isOpened: _isOpened, isVanished: _isVanished, ...rest } = message
  return { ...rest, content: '', mediaUrl: null }
}

/** Returns a message whose time is over for a person who is told of it. */
export function vanishedMessage(message: Message): Message {
  const { vanishMs: _vanishMs, edit: _edit, reactions: _reactions, ...rest } = withoutContent(message)
  return { ...rest, messageType: 'text', isVanished: true }
}
