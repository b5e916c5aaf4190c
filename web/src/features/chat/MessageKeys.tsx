import type { Message } from '@sumlock/contracts/messaging-routes'
import { useEffect } from 'react'
import type { RefObject } from 'react'
import type { MessageActionsProps } from './MessageActions.tsx'
import { moveBetweenMessages } from './move-between-messages.ts'
import { replyByKey } from './reply/answerable.ts'

export interface MessageKeysProps {
  scroller: RefObject<HTMLElement | null>
  messages: readonly Message[]
  userId: string
  onReply: MessageActionsProps['onReply']
}

/** Follows the keys in the list of messages: arrows, Enter and R. */
export function MessageKeys({ scroller, messages, userId, onReply }: MessageKeysProps) {
  useEffect(() => {
    const list = scroller.current
    if (!list) return
    const follow = (event: KeyboardEvent) => {
      moveBetweenMessages(event, list)
      replyByKey(event, { messages, userId }, onReply)
    }
    list.addEventListener('keydown', follow)
    return () => list.removeEventListener('keydown', follow)
  }, [scroller, messages, userId, onReply])
  return null
}
