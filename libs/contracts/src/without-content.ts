import type { Message } from './messaging-routes.ts'

/** Returns a message that opens once as its sender is told of it when it is stored. */
export function withoutContent(message: Message): Message {
  const { sealed: _sealed, isOpened: _isOpened, isVanished: _isVanished, ...rest } = message
  return { ...rest, content: '', mediaUrl: null }
}
