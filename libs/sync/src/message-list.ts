import type { Message } from '@sumlock/contracts/messaging-routes'
import { asRemoved, isDisguised, isEmptiedHere } from './vanishing.ts'

/**
 * Holds the known messages of one conversation. A list is immutable: functions return a new list, or the same one
 * when nothing changes.
 */
export interface MessageList {
  /** The messages ascend by `seq`, and each id occurs once. After the watermark, messages may be missing. */
  readonly messages: readonly Message[]
  /** From the first held message to the one with this seq, none is missing. Read reports must not go beyond it. */
  readonly watermark: number
  /** True once the first page was merged. */
  readonly loaded: boolean
  readonly hasOlder: boolean
  /** True while messages after the first page are still to be fetched. */
  readonly hasNewer: boolean
}

export const emptyList: MessageList = {
  messages: [],
  watermark: 0,
  loaded: false,
  hasOlder: false,
  hasNewer: false,
}

/**
 * Adds a message from the live connection, or messages that have changed. The watermark advances only over messages
 * that are the next in order.
 */
export function mergeHints<T extends MessageList>(list: T, hints: readonly Message[]): T {
  const isHeld = ({ id }: Message) => list.messages.some((message) => message.id === id)
  // Up to the watermark none is missing: another one is deleted, or older than the first held one.
  const news = hints.filter((hint) => hint.seq > list.watermark || isHeld(hint))
  const messages = mergeMessages(list.messages, news)
  return messages === list.messages ? list : advance({ ...list, messages })
}

/**
 * Merges the first page, which was requested with `limit`: the newest one, or one in the middle of the conversation. The
 * watermark becomes its last seq.
 */
export function mergeFirstPage<T extends MessageList>(
  list: T,
  page: readonly Message[],
  limit: number,
  isNewest = true,
): T {
  const first = page[0]?.seq ?? 0
  // Held messages older than the page are dropped, because others may be missing between them and the page.
  const later = list.messages.filter(({ seq }) => seq >= first)
  return advance({
    ...list,
    messages: mergeMessages(later, page),
    watermark: page.at(-1)?.seq ?? 0,
    loaded: true,
    hasOlder: first > 1 && (page.length >= limit || !isNewest),
    hasNewer: page.length >= limit && !isNewest,
  })
}

/** Merges a page that was requested after the watermark. The page contains every stored message up to its last one. */
export function mergeNextPage<T extends MessageList>(list: T, page: readonly Message[], isFull = false): T {
  const messages = mergeMessages(list.messages, page)
  const watermark = Math.max(list.watermark, page.at(-1)?.seq ?? 0)
  const hasNewer = list.hasNewer && isFull
  if (messages === list.messages && watermark === list.watermark && hasNewer === list.hasNewer) return list
  return advance({ ...list, messages, watermark, hasNewer })
}

/** Merges a page that ends right before the first held message. */
export function mergeOlderPage<T extends MessageList>(list: T, page: readonly Message[], limit: number): T {
  const hasOlder = page.length >= limit && (page[0]?.seq ?? 1) > 1
  return { ...list, messages: mergeMessages(list.messages, page), hasOlder }
}

/** Returns whether a message is missing before a held one. */
export const hasGap = (list: MessageList): boolean => (list.messages.at(-1)?.seq ?? 0) > list.watermark

/** Marks the messages up to `seq` that `readerId` did not write as read. */
export function applyRead<T extends MessageList>(list: T, readerId: string, seq: number): T {
  const isNew = (message: Message) => !message.isRead && message.seq <= seq && message.senderId !== readerId
  if (!list.messages.some(isNew)) return list
  const messages = list.messages.map((message) => (isNew(message) ? { ...message, isRead: true } : message))
  return { ...list, messages }
}

/** Moves the watermark over the held messages that follow without a gap. */
function advance<T extends MessageList>(list: T): T {
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
    const next = known ? newerOf(known, message) : message
    if (next === known) continue
    merged ??= [...held]
    merged.splice(index, known ? 1 : 0, next)
  }
  return merged ?? held
}

const versionOf = ({ version = 0 }: Message) => version

/**
 * Returns whether a message can take the place of a known one: only an empty one takes that of one that has vanished by
 * the server. What this client has emptied by itself is emptied again at once if its time is over.
 */
function isNewer(message: Message, known: Message): boolean {
  if (isEmptiedHere(known)) return message.isVanished ?? versionOf(message) >= versionOf(known)
  const isEmpty = message.isVanished ?? message.isUnsent ?? false
  if (known.isVanished && !isEmpty) return false
  if (message.isVanished && !known.isVanished && !known.isUnsent) return true
  // An opening raises no version where the sender is not told.
  if (known.isOpened && !message.isOpened && !isEmpty) return false
  if (message.isOpened && !known.isOpened && !known.isUnsent) return true
  return versionOf(message) > versionOf(known)
}

/** Returns the newer message. What is read stays so, and so does the end of its time. */
function newerOf(known: Message, given: Message): Message {
  const message = isDisguised(given, known) ? { ...given, isVanished: true as const } : given
  const newer = !isNewer(message, known) ? known : message.isVanished ? asRemoved(message, known) : message
  const isRead = known.isRead || message.isRead
  const { vanishAt = known.vanishAt ?? message.vanishAt } = newer
  const isEnding = newer.vanishMs !== undefined && newer.vanishAt !== vanishAt
  if (newer.isRead === isRead && !isEnding) return newer
  return { ...newer, isRead, ...(isEnding && vanishAt !== undefined && { vanishAt }) }
}

/**
 * Returns the index of the first message with a higher `seq`. It searches from the end, because almost all messages
 * are added there.
 */
function firstAfter(messages: readonly Message[], seq: number): number {
  let index = messages.length
  while (index > 0 && (messages[index - 1] as Message).seq > seq) index -= 1
  return index
}
