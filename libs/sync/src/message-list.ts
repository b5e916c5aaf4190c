import type { Message } from '@sumlock/contracts/messaging-routes'

/** The known messages of one conversation. Immutable: a change returns a new list, no change the same one. */
export interface MessageList {
  /** Ascending by `seq`, every id once. Beyond the watermark there may be holes. */
  readonly messages: readonly Message[]
  /** Up to here nothing is missing (from the first held message on). Only this may be trusted as "have seen". */
  readonly watermark: number
  /** Whether a first page was merged. */
  readonly loaded: boolean
  readonly hasOlder: boolean
}

export const emptyList: MessageList = { messages: [], watermark: 0, loaded: false, hasOlder: false }

/** Adds one message from the live connection. The watermark advances only if it is the next in order. */
export function mergeHint(list: MessageList, message: Message): MessageList {
  // At or below the watermark the server has already told us everything there is.
  if (message.seq <= list.watermark) return list
  const messages = mergeMessages(list.messages, [message])
  return messages === list.messages ? list : advance({ ...list, messages })
}

/** Merges the newest page, which was asked for with `limit`: the ground the list stands on. */
export function mergeFirstPage(list: MessageList, page: readonly Message[], limit: number): MessageList {
  const first = page[0]?.seq ?? 0
  // A hint older than the page would stand alone before a hole.
  const later = list.messages.filter(({ seq }) => seq >= first)
  return advance({
    messages: mergeMessages(later, page),
    watermark: page.at(-1)?.seq ?? 0,
    loaded: true,
    hasOlder: page.length >= limit && first > 1,
  })
}

/** Merges what follows the watermark as it was when asked. The server knows of no other message up to the page's end. */
export function mergeNextPage(list: MessageList, page: readonly Message[]): MessageList {
  const messages = mergeMessages(list.messages, page)
  const watermark = Math.max(list.watermark, page.at(-1)?.seq ?? 0)
  if (messages === list.messages && watermark === list.watermark) return list
  return advance({ ...list, messages, watermark })
}

/** Merges a page that ends right before the first held message. */
export function mergeOlderPage(list: MessageList, page: readonly Message[], limit: number): MessageList {
  const hasOlder = page.length >= limit && (page[0]?.seq ?? 1) > 1
  return { ...list, messages: mergeMessages(list.messages, page), hasOlder }
}

/** Whether a message is held that has a hole before it. */
export const hasGap = (list: MessageList): boolean => (list.messages.at(-1)?.seq ?? 0) > list.watermark

/** Marks as read what `readerId` did not write, up to `seq`. */
export function applyRead(list: MessageList, readerId: string, seq: number): MessageList {
  const isNew = (message: Message) => !message.isRead && message.seq <= seq && message.senderId !== readerId
  if (!list.messages.some(isNew)) return list
  const messages = list.messages.map((message) => (isNew(message) ? { ...message, isRead: true } : message))
  return { ...list, messages }
}

/** Lets the watermark pass over what is already held without a hole. */
function advance(list: MessageList): MessageList {
  if (!list.loaded) return list
  let { watermark } = list
  for (const { seq } of list.messages.slice(firstAfter(list.messages, watermark))) {
    if (seq !== watermark + 1) break
    watermark = seq
  }
  return watermark === list.watermark ? list : { ...list, watermark }
}

function mergeMessages(held: readonly Message[], added: readonly Message[]): readonly Message[] {
  let merged: Message[] | undefined
  for (const message of added) {
    const present = merged ?? held
    const index = firstAfter(present, message.seq - 1)
    const known = present[index]?.id === message.id ? present[index] : undefined
    if (known && (known.isRead || !message.isRead)) continue
    merged ??= [...held]
    merged.splice(index, known ? 1 : 0, message)
  }
  return merged ?? held
}

/** Index of the first message with a higher `seq`. Searched from the end, where almost everything happens. */
function firstAfter(messages: readonly Message[], seq: number): number {
  let index = messages.length
  while (index > 0 && (messages[index - 1] as Message).seq > seq) index -= 1
  return index
}
