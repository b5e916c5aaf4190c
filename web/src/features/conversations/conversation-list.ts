import type { Conversation, Message } from '@sumlock/contracts/messaging-routes'
import { newerOf, withKeys } from '../sealed/known-conversations.ts'
import type { NewestMessage, RowNews, SealedRow } from '../sealed/known-conversations.ts'
import { isSameLook, lookOf, nameOf } from '../sealed/look.ts'
import type { Look } from '../sealed/look.ts'

export type Preview = NonNullable<Conversation['lastMessage']> & { readonly look?: Look }

/** A conversation of the list, with its keys and with what keeps its unread count exact from one fetch to the next. */
export interface ListedConversation extends Conversation, Pick<SealedRow, 'keys' | 'newest'> {
  readonly lastMessage: Preview | null
  /** Its last seq when it was fetched. */
  readonly fetchedSeq: number
  /** The seqs of the unread messages that have arrived since. */
  readonly arrived: readonly number[]
  /** How far each side is known to have read since; such a report may overtake the messages. */
  readonly readByMe: number
  readonly readByOther: number
}

export type ConversationList = readonly ListedConversation[]

/** The entry of the list in the cache. */
export interface ListEntry {
  readonly rows: ConversationList
  /** Where the loaded pages end; null when there is no further one. */
  readonly next: string | null
}

/** A list after a change. `isCertain` is false when it may miss something that only the server knows. */
export interface ChangedList {
  list: ConversationList
  isCertain: boolean
}

/** A change that leaves the list as it is when the list already contains it. */
export type ListChange = (list: ConversationList) => ChangedList

/** A conversation as the server may send it: only this page says what a sealed message says. */
export function unopened(conversation: Conversation): Conversation {
  if (!conversation.lastMessage) return conversation
  const { look: _forged, ...lastMessage }: Preview = conversation.lastMessage
  return { ...conversation, lastMessage }
}

/** The row of a fetched conversation. What is known of it stays: an answer names the partner's newest key only. */
export const toListed = (conversation: Conversation, known?: ListedConversation): ListedConversation => ({
  ...conversation,
  keys: withKeys(known?.keys ?? [], conversation.otherUser.keys ?? []),
  newest: newerOf(known?.newest ?? null, newestOf(conversation.lastMessage)),
  fetchedSeq: conversation.lastSeq,
  arrived: [],
  readByMe: 0,
  readByOther: 0,
})

const newestOf = (message: Conversation['lastMessage']): NewestMessage | null =>
  message?.clientMessageId ? { seq: message.seq, by: message.senderId, id: message.clientMessageId } : null

const movedTo = (createdAt: string) => ({ activeAt: createdAt, lastMessageAt: createdAt })

/** A message was stored, by either side. */
export const messageStored =
  (message: Message & Pick<Preview, 'look'>, userId: string): ListChange =>
  (list) => {
    const { conversationId, seq, senderId, content, messageType, createdAt } = message
    const { clientMessageId, mediaUrl, sealed, look } = message
    const known = list.find(({ id }) => id === conversationId)
    if (!known) return { list, isCertain: false }
    if (seq <= known.lastSeq) return { list, isCertain: true }
    // Nothing of a request is shown before it is accepted.
    const newest = newerOf(known.newest, { seq, by: senderId, id: clientMessageId })
    if (known.isRequest)
      return { list: put(list, { ...known, newest, lastSeq: seq, ...movedTo(createdAt) }), isCertain: true }
    const isRead = message.isRead || seq <= (senderId === userId ? known.readByOther : known.readByMe)
    const isUnread = senderId !== userId && !isRead
    const changed = {
      ...known,
      newest,
      lastSeq: seq,
      lastMessage: {
        ...{ content, messageType, senderId, seq, isRead, clientMessageId, mediaUrl },
        ...(sealed ? { sealed } : {}),
        ...(look ? { look } : {}),
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
    return { list: isOlder ? list : put(list, toListed(conversation, known)), isCertain: true }
  }

/** Keys of the partner or a newer message became known. */
export const rowLearned =
  (id: string, { keys = [], newest = null }: RowNews): ListChange =>
  (list) => {
    const known = list.find((row) => row.id === id)
    if (!known) return { list, isCertain: true }
    const changed = { ...known, keys: withKeys(known.keys, keys), newest: newerOf(known.newest, newest) }
    const isNew = changed.keys !== known.keys || changed.newest !== known.newest
    return { list: isNew ? put(list, changed) : list, isCertain: true }
  }

/** The newest message of a row was opened, unless a newer one has come. */
export const previewOpened =
  (id: string, opened: Preview): ListChange =>
  (list) => {
    const known = list.find((row) => row.id === id)
    const present = known?.lastMessage
    const isSame = present && nameOf(present) === nameOf(opened)
    if (!isSame || isSameLook(lookOf(opened), lookOf(present))) return { list, isCertain: true }
    const lastMessage = { ...present, look: lookOf(opened) }
    return { list: put(list, { ...known, lastMessage }), isCertain: true }
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
