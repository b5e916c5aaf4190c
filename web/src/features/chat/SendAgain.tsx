import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ReplyTo } from '@sumlock/sync/ports'
import { useState } from 'react'
import { useSend } from './use-conversation.ts'

export interface SendAgainProps {
  id: string
  name: string
  message: Pick<Message, 'isRead' | 'vanishMs'>
  text: string
  /** The message answers this one. */
  re: ReplyTo | undefined
}

/** Offers to send a message again if the partner has replaced the key that opens it before reading it. */
export function SendAgain({ message, text, re, id, name }: SendAgainProps) {
  const send = useSend(id)
  const [isSent, setIsSent] = useState(false)
  if (isSent || message.isRead) return null
  return (
    <p className="px-4 text-right text-sm text-ink-2">
      {name} has new keys and may not be able to read this.
      <button
        type="button"
        className="min-h-11 px-2 font-medium text-accent underline"
        onClick={() => {
          setIsSent(true)
          const { vanishMs } = message
          void send({ messageType: 'text', content: text, re, ...(vanishMs && { vanishMs }) })
        }}
      >
        Send again
      </button>
    </p>
  )
}
