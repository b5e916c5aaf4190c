import type { Conversation, Message } from '@sumlock/contracts/messaging-routes'

/** A conversation of the list, with what keeps its unread count exact from one fetch to the next. */
export interface ListedConversation extends Conversation {
  /** Its last seq when it was fetched. */
  readonly fetchedSeq: number
  /** The seqs of the unread messages that have arrived since. */
  readonly arrived: readonly number[]
  /** How far each side is known to have read since; such a report may overtake the messages. */
  readonly readByMe: number
  readonly readByOther: number
}

export type ConversationList = readonly ListedConversation[]

/** A list after a change. `isCertain` is false when it may miss something that only the server knows. */
export interface ChangedList {
  list: ConversationList
  isCertain: boolean
}

/** A change that leaves the list as it is when the list already contains it. */
export type ListChange = (list: ConversationList) => ChangedList

export const toListed = (conversation: Conversation): ListedConversation => ({
  ...conversation,
  fetchedSeq: conversation.lastSeq,
  arrived: [],
  readByMe: 0,
  readByOther: 0,
})

const movedTo = (createdAt: string) => ({ activeAt: createdAt, lastMessageAt: createdAt })

/** A message was stored, by either side. */
export const messageStored =
  (message: Message, userId: string): ListChange =>
  (list) => {
    const { conversationId, seq, senderId, content, messageType, createdAt } = message
    const { clientMessageId, mediaUrl, sealed } = message
    const known = list.find(({ id }) => id === conversationId)
    if (!known) return { list, isCertain: false }
    if (seq <= known.lastSeq) return { list, isCertain: true }
    // Nothing of a request is shown before it is accepted.
    if (known.isRequest)
      return { list: put(list, { ...known, lastSeq: seq, ...movedTo(createdAt) }), isCertain: true }
    const isRead = message.isRead || seq <= (senderId === userId ? known.readByOther : known.readByMe)
    const isUnread = senderId !== userId && !isRead
    const changed = {
      ...known,
      lastSeq: seq,
      lastMessage: {
        ...{ content, messageType, senderId, seq, isRead, clientMessageId, mediaUrl },
        ...(sealed ? { sealed } : {}),
      },
      ...movedTo(createdAt),
      arrived: isUnread ? [...known.arrived, seq] : known.arrived,
      unreadCount: known.unreadCount + (isUnread ? 1 : 0),
    }
    return { list: put(list, changed), isCertain: seq === known.lastSeq + 1 }
  }

/** A member has read all messages of the other one up to `seq`. */
export const messagesRead =
  (read: { conversationId: string; readerId: string; seq: number }, userId: string): ListChange =>
  (list) => {
    const known = list.find(({ id }) => id === read.conversationId)
    const side = read.readerId === userId ? 'readByMe' : 'readByOther'
    if (!known || read.seq <= known[side]) return { list, isCertain: true }
    const { lastMessage, fetchedSeq, unreadCount } = known
    const isLastRead = lastMessage && lastMessage.seq <= read.seq && lastMessage.senderId !== read.readerId
    const changed = {
      ...known,
      [side]: read.seq,
      lastMessage: isLastRead ? { ...lastMessage, isRead: true } : lastMessage,
    }
    if (side === 'readByOther') return { list: put(list, changed), isCertain: true }
    const arrived = known.arrived.filter((seq) => seq > read.seq)
    const fetchedUnread = unreadCount - known.arrived.length
    const isBeyondFetch = read.seq >= fetchedSeq
    return {
      list: put(list, {
        ...changed,
        arrived,
        unreadCount: arrived.length + (isBeyondFetch ? 0 : fetchedUnread),
      }),
      // How many of the fetched unread messages are older than `seq` is unknown here.
      isCertain: isBeyondFetch || fetchedUnread === 0,
    }
  }

/** A conversation was opened, or found, by its code. */
export const conversationOpened =
  (conversation: Conversation): ListChange =>
  (list) => {
    const known = list.find(({ id }) => id === conversation.id)
    const isOlder = known !== undefined && known.lastSeq > conversation.lastSeq
    return { list: isOlder ? list : put(list, toListed(conversation)), isCertain: true }
  }

/** The conversation was deleted for this person. */
export const conversationDeleted =
  (conversationId: string): ListChange =>
  (list) => ({ list: list.filter(({ id }) => id !== conversationId), isCertain: true })

/** An event names this conversation; the list must contain it. */
export const conversationNamed =
  (conversationId: string): ListChange =>
  (list) => ({ list, isCertain: list.some(({ id }) => id === conversationId) })

const latest = ({ lastMessageAt, createdAt }: Conversation) => lastMessageAt ?? createdAt

/** Replaces or adds a conversation, and keeps the latest first. */
function put(list: ConversationList, changed: ListedConversation): ConversationList {
  const index = list.findIndex(({ id }) => id === changed.id)
  if (list[index] === changed) return list
  if (index >= 0 && latest(list[index] as ListedConversation) === latest(changed))
    return list.with(index, changed)
  const others = list.filter(({ id }) => id !== changed.id)
  const place = others.findIndex((other) => latest(other) <= latest(changed))
  return place < 0 ? [...others, changed] : others.toSpliced(place, 0, changed)
}
