import type { Conversation, Message } from '@sumlock/contracts/messaging-routes'
import { lacksEnd } from '@sumlock/sync/vanishing'
import { newerOf, withKeys } from '../sealed/known-conversations.ts'
import type { NewestMessage, RowNews, SealedRow } from '../sealed/known-conversations.ts'
import type { NamedUser } from '../sealed/nicknames.ts'
import { isSameLook, lookOf, nameOf } from '../sealed/look.ts'
import type { Look } from '../sealed/look.ts'

export type Preview = NonNullable<Conversation['lastMessage']> & { readonly look?: Look }

/**
 * A row of the list is a conversation with its keys and with fields that keep its unread count exact between two
 * fetches.
 */
export interface ListedConversation extends Conversation, Pick<SealedRow, 'keys' | 'newest'> {
  readonly otherUser: NamedUser
  readonly lastMessage: Preview | null
  /** The conversation's last message had this seq when it was fetched. */
  readonly fetchedSeq: number
  /** These are the seqs of the unread messages that have arrived since the fetch. */
  readonly arrived: readonly number[]
  /** The other person has read up to this seq since the fetch. A read report may arrive before its messages. */
  readonly readByOther: number
}

export type ConversationList = readonly ListedConversation[]

/** The cache holds the list in this form. */
export interface ListEntry {
  readonly rows: ConversationList
  /** This cursor requests the next page; it is null if there are no further pages. */
  readonly next: string | null
}

/**
 * Applying a change returns this. `isCertain` is false if the list may now be wrong or incomplete and has to be fetched
 * again.
 */
export interface ChangedList {
  list: ConversationList
  isCertain: boolean
}

/** Applies a change to a list. The list stays as it is if it already contains the change. */
export type ListChange = (list: ConversationList) => ChangedList

/**
 * Removes the look from a conversation that the server sent: only this page, which has the keys, may say how a sealed
 * preview looks.
 */
export function unopened(conversation: Conversation): Conversation {
  if (!conversation.lastMessage) return conversation
  const { look: _forged, ...lastMessage }: Preview = conversation.lastMessage
  return { ...conversation, lastMessage }
}

/**
 * Returns the row of a fetched conversation. Known keys are kept, because an answer contains only the partner's newest
 * key.
 */
export const toListed = (conversation: Conversation, known?: ListedConversation): ListedConversation => ({
  ...conversation,
  keys: withKeys(known?.keys ?? [], conversation.otherUser.keys ?? []),
  newest: newerOf(known?.newest ?? null, newestOf(conversation.lastMessage)),
  fetchedSeq: conversation.lastSeq,
  arrived: [],
  readByOther: 0,
})

const newestOf = (message: Conversation['lastMessage']): NewestMessage | null =>
  message?.clientMessageId ? { seq: message.seq, by: message.senderId, id: message.clientMessageId } : null

/** A preview has these fields of its message that are set. */
const rareFields = [
  ...(['sealed', 'edit', 'isUnsent', 'look'] as const),
  ...(['vanishMs', 'vanishAt', 'isVanished', 'isOnce', 'isOpened'] as const),
]

function previewOf(message: Message & Pick<Preview, 'look'>): Preview {
  const { content, messageType, senderId, seq, isRead, clientMessageId, mediaUrl } = message
  const rare = rareFields.filter((name) => message[name]).map((name) => [name, message[name]])
  return {
    ...{ content, messageType, senderId, seq, isRead, clientMessageId, mediaUrl },
    ...(Object.fromEntries(rare) as Partial<Preview>),
  }
}

const movedTo = (createdAt: string) => ({ activeAt: createdAt, lastMessageAt: createdAt })

/** Applies a message of either person that the server has stored. */
export const messageStored =
  (message: Message & Pick<Preview, 'look'>, userId: string): ListChange =>
  (list) => {
    const { conversationId, seq, senderId, createdAt, clientMessageId } = message
    const known = list.find(({ id }) => id === conversationId)
    if (!known) return { list, isCertain: false }
    if (seq <= known.lastSeq) return { list, isCertain: true }
    // The text of a conversation request is not shown before the person accepts the request.
    const newest = newerOf(known.newest, { seq, by: senderId, id: clientMessageId })
    if (known.isRequest)
      return { list: put(list, { ...known, newest, lastSeq: seq, ...movedTo(createdAt) }), isCertain: true }
    const isRead = message.isRead || seq <= (senderId === userId ? known.readByOther : known.readSeq)
    const isUnread = senderId !== userId && !isRead
    const changed = {
      ...known,
      newest,
      lastSeq: seq,
      lastMessage: { ...previewOf(message), isRead },
      ...movedTo(createdAt),
      arrived: isUnread ? [...known.arrived, seq] : known.arrived,
      unreadCount: known.unreadCount + (isUnread ? 1 : 0),
    }
    return { list: put(list, changed), isCertain: seq === known.lastSeq + 1 }
  }

/** Applies a change of a message to the preview that shows it. A row with this version was fetched after it. */
export const messageChanged =
  (message: Message & Pick<Preview, 'look'>): ListChange =>
  (list) => {
    const known = list.find(({ id }) => id === message.conversationId)
    const isOld = (known?.version ?? 0) >= (message.version ?? 0)
    if (isOld || known?.lastMessage?.seq !== message.seq) return { list, isCertain: true }
    const { isRead } = known.lastMessage
    return { list: put(list, { ...known, lastMessage: { ...previewOf(message), isRead } }), isCertain: true }
  }

/**
 * Applies a report that a member has read all messages of the other one up to `seq`. `held` are messages of the
 * conversation, of which none is missing in between.
 */
export const messagesRead =
  (
    read: { conversationId: string; readerId: string; seq: number },
    userId: string,
    held: readonly Message[] = [],
  ): ListChange =>
  (list) => {
    const known = list.find(({ id }) => id === read.conversationId)
    const side = read.readerId === userId ? 'readSeq' : 'readByOther'
    if (!known || read.seq <= known[side]) return { list, isCertain: true }
    const { lastMessage, fetchedSeq, unreadCount } = known
    const isLastRead = lastMessage && lastMessage.seq <= read.seq && lastMessage.senderId !== read.readerId
    const changed = {
      ...known,
      [side]: read.seq,
      lastMessage: isLastRead ? { ...lastMessage, isRead: true } : lastMessage,
    }
    if (side === 'readByOther') return { list: put(list, changed), isCertain: true }
    // Only a fetch brings the time at which the preview vanishes.
    const isTimed = !changed.lastMessage || !lacksEnd(changed.lastMessage, userId)
    const arrived = known.arrived.filter((seq) => seq > read.seq)
    const fetchedUnread = unreadCount - known.arrived.length
    const isBeyondFetch = read.seq >= fetchedSeq
    const left = isBeyondFetch ? 0 : fetchedUnread - countRead(held, known.readSeq, read)
    return {
      list: put(list, { ...changed, arrived, unreadCount: arrived.length + left }),
      isCertain: isTimed && (isBeyondFetch || fetchedUnread === 0 || holdsAll(held, known.readSeq, read)),
    }
  }

type ReadReport = Parameters<typeof messagesRead>[0]

/** Returns whether `held` shows how many of the fetched unread messages the report concerns. */
const holdsAll = (held: readonly Message[], from: number, { seq }: ReadReport) =>
  (held[0]?.seq ?? Infinity) <= from + 1 && (held.at(-1)?.seq ?? 0) >= seq

/**
 * Counts the messages of the other member between the two marks. A hidden one was never unread; one that has vanished or
 * was taken back was, unless it was never stored with content.
 */
function countRead(held: readonly Message[], from: number, read: ReadReport): number {
  if (!holdsAll(held, from, read)) return 0
  const isUnread = ({
    seq,
    senderId,
    content,
    mediaUrl,
    isUnsent,
    isUnstored,
    isVanished,
    isOnce,
  }: Message) =>
    seq > from &&
    seq <= read.seq &&
    senderId !== read.readerId &&
    (content || mediaUrl || isVanished || isOnce || (isUnsent && !isUnstored))
  return held.filter(isUnread).length
}

/** Adds or updates a conversation that the server has returned. */
export const conversationOpened =
  (conversation: Conversation): ListChange =>
  (list) => {
    const known = list.find(({ id }) => id === conversation.id)
    const isOlder = known !== undefined && known.lastSeq > conversation.lastSeq
    return { list: isOlder ? list : put(list, toListed(conversation, known)), isCertain: true }
  }

/** Applies new keys of the partner, or a newer message. */
export const rowLearned =
  (id: string, { keys = [], newest = null }: RowNews): ListChange =>
  (list) => {
    const known = list.find((row) => row.id === id)
    if (!known) return { list, isCertain: true }
    const changed = { ...known, keys: withKeys(known.keys, keys), newest: newerOf(known.newest, newest) }
    const isNew = changed.keys !== known.keys || changed.newest !== known.newest
    return { list: isNew ? put(list, changed) : list, isCertain: true }
  }

/** Applies the opened preview of a row, unless a newer message has arrived. */
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

/** Removes a conversation that this person has deleted. */
export const conversationDeleted =
  (conversationId: string): ListChange =>
  (list) => ({ list: list.filter(({ id }) => id !== conversationId), isCertain: true })

/** Changes nothing. The result is uncertain if the list lacks the conversation that an event names. */
export const conversationNamed =
  (conversationId: string): ListChange =>
  (list) => ({ list, isCertain: list.some(({ id }) => id === conversationId) })

const latest = ({ lastMessageAt, createdAt }: Conversation) => lastMessageAt ?? createdAt

/** Replaces or adds a conversation, and keeps the list in the order of the last messages, newest first. */
function put(list: ConversationList, changed: ListedConversation): ConversationList {
  const index = list.findIndex(({ id }) => id === changed.id)
  if (list[index] === changed) return list
  if (index >= 0 && latest(list[index] as ListedConversation) === latest(changed))
    return list.with(index, changed)
  const others = list.filter(({ id }) => id !== changed.id)
  const place = others.findIndex((other) => latest(other) <= latest(changed))
  return place < 0 ? [...others, changed] : others.toSpliced(place, 0, changed)
}
