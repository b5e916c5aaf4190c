import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { Tick } from './MessageBubble.tsx'
import { useMessaging } from './messaging-context.ts'
import { useUnsent } from './use-unsent.ts'

/** What stands under a name: a message that was not sent, a draft, or the newest message. */
export function Preview({ conversation: { id, lastMessage, isRequest } }: { conversation: Conversation }) {
  const { userId } = useMessaging()
  const { draft, item: unsent } = useUnsent(id)

  if (isRequest) return 'Wants to talk to you'
  if (unsent?.status === 'failed')
    return (
      <>
        <span className="text-danger">Not sent: </span>
        <bdi>{unsent.message.content}</bdi>
      </>
    )
  if (draft.trim() !== '')
    return (
      <>
        <span className="text-accent">Draft: </span>
        <bdi>{draft}</bdi>
      </>
    )
  if (unsent) return <Own text={unsent.message.content ?? ''} />
  if (!lastMessage) return 'No messages yet'
  if (lastMessage.content === '') return <em>Deleted message</em>
  if (lastMessage.senderId !== userId) return <bdi>{lastMessage.content}</bdi>
  return (
    <>
      <Tick isRead={lastMessage.isRead} /> <Own text={lastMessage.content} />
    </>
  )
}

function Own({ text }: { text: string }) {
  return (
    <>
      You: <bdi>{text}</bdi>
    </>
  )
}
