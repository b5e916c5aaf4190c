import type { Conversation, Message } from '@sumlock/contracts/messaging-routes'

/** A conversation of the list, with what keeps its unread count exact from one fetch to the next. */
export interface ListedConversation extends Conversation {
  /** Its last seq when it was fetched. */
  readonly fetchedSeq: number
  /** The seqs of the unread messages that have arrived since. */
  readonly arrived: readonly number[]
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
})

/** A message was stored, by either side. */
export const messageStored =
  (message: Message, userId: string): ListChange =>
  (list) => {
    const { conversationId, seq, senderId, content, messageType, isRead, createdAt } = message
    const known = list.find(({ id }) => id === conversationId)
    if (!known) return { list, isCertain: false }
    if (seq <= known.lastSeq) return { list, isCertain: true }
    const isUnread = senderId !== userId && !isRead
    const changed = {
      ...known,
      lastSeq: seq,
      lastMessage: { content, messageType, senderId, seq, isRead },
      lastMessageAt: createdAt,
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
    if (!known) return { list, isCertain: true }
    const { lastMessage } = known
    const isReadNow =
      lastMessage &&
      lastMessage.seq <= read.seq &&
      lastMessage.senderId !== read.readerId &&
      !lastMessage.isRead
    const changed = isReadNow ? { ...known, lastMessage: { ...lastMessage, isRead: true } } : known
    if (read.readerId !== userId || known.unreadCount === 0)
      return { list: put(list, changed), isCertain: true }
    const arrived = known.arrived.filter((seq) => seq > read.seq)
    const fetchedUnread = known.unreadCount - known.arrived.length
    const isBeyondFetch = read.seq >= known.fetchedSeq
    const unreadCount = arrived.length + (isBeyondFetch ? 0 : fetchedUnread)
    return {
      list: put(list, { ...changed, arrived, unreadCount }),
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
