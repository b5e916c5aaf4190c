import type { OutboxItem } from '@sumlock/sync/ports'
import { withActs } from '@sumlock/sync/shown-conversation'
import { useSyncExternalStore } from 'react'
import { mediaName } from '../media/media-name.ts'
import { onceName } from '../media/once/once-name.ts'
import { closedSentence } from '../sealed/closed-sentence.ts'
import { lookOf, textOf, withEdit } from '../sealed/look.ts'
import type { ListedConversation } from './conversation-list.ts'
import { Tick } from './Tick.tsx'
import { useSession } from '../../page.ts'
import { useUnsent } from './use-unsent.ts'

/** Shows the line under a name: an unsent message, a draft, or the newest message. */
export function Preview({ conversation }: { conversation: ListedConversation }) {
  const { id, otherUser, isRequest } = conversation
  const { userId, outbox } = useSession()
  const acts = useSyncExternalStore(outbox.subscribe, () => outbox.acts)
  const [lastMessage] = withActs(conversation.lastMessage ? [conversation.lastMessage] : [], acts, {
    showEdit: withEdit,
  })
  const { draft, item: unsent } = useUnsent(id)

  if (isRequest) return 'Wants to talk to you'
  if (unsent?.status === 'failed')
    return (
      <>
        <span className="text-danger">Not sent: </span>
        <bdi>{nameOf(unsent)}</bdi>
      </>
    )
  if (draft.trim() !== '')
    return (
      <>
        <span className="text-accent">Draft: </span>
        <bdi>{draft}</bdi>
      </>
    )
  if (unsent) return <Own text={nameOf(unsent)} />
  if (!lastMessage) return 'No messages yet'
  if (lastMessage.isVanished) return <em>Message vanished</em>
  const look = lookOf(lastMessage)
  if (look.state === 'closed') return <em>{closedSentence(look.why, otherUser.username)}</em>
  const { messageType } = lastMessage
  const once = onceName(lastMessage)
  const written = textOf(look, lastMessage) ?? ''
  const text = once ?? (messageType === 'text' || !lastMessage.mediaUrl ? written : mediaName[messageType])
  if (text === '') return <em>Deleted message</em>
  if (lastMessage.senderId !== userId) return <bdi>{text}</bdi>
  return (
    <>
      <Tick isRead={lastMessage.isRead} /> <Own text={text} />
    </>
  )
}

const nameOf = ({ message }: OutboxItem) =>
  message.messageType === 'text' ? message.content : (onceName(message) ?? mediaName[message.messageType])

function Own({ text }: { text: string }) {
  return (
    <>
      You: <bdi>{text}</bdi>
    </>
  )
}
