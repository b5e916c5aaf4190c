import type { Message } from '@sumlock/contracts/messaging-routes'
import { mediaName } from '../media-name.ts'

export type OnceFields = Partial<
  Pick<Message, 'messageType' | 'isOnce' | 'isOpened' | 'isUnsent' | 'isVanished'>
>

/** Returns what lists and bubbles show of a message that opens once; undefined for other messages. */
export const onceName = (message: OnceFields): string | undefined => {
  const { messageType = 'text', isOnce, isOpened } = message
  if (!isOnce || message.isUnsent || message.isVanished || messageType === 'text') return undefined
  return isOpened ? 'Opened' : `${mediaName[messageType]} · view once`
}
