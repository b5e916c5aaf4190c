import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ReplyTo } from '@sumlock/sync/ports'
import { textOf } from '../../sealed/look.ts'
import { shownText } from '../message-text.ts'
import { checkReceived } from '../receiving-rules.ts'
import type { CheckedMessage } from '../receiving-rules.ts'
import { foldText } from './fold-text.ts'

/** Names a message that contains the searched text. Nothing of the text is kept. */
export interface Found {
  /** The id of the message. */
  id: string
  name: ReplyTo
}

/** Returns the searched form of what a person typed; it is empty if there is nothing to search. */
export const toNeedle = (query: string): string => foldText(query.trim())

/**
 * Returns a function that finds messages by their shown text, oldest first. It folds each message once; the folded
 * texts are forgotten with the function.
 */
export function createFinder(): (messages: readonly Message[], needle: string) => Found[] {
  const texts = new WeakMap<Message, string>()
  const foldedOf = ({ message, look }: CheckedMessage) => {
    const known = texts.get(message)
    if (known !== undefined) return known
    const folded = foldText(shownText(textOf(look, message) ?? ''))
    texts.set(message, folded)
    return folded
  }
  return (messages, needle) => {
    if (needle === '') return []
    return checkReceived({ messages, isWhole: false })
      .filter((one) => !one.isFormer && !one.message.isOnce && foldedOf(one).includes(needle))
      .map(({ message: { id, seq, senderId: by, clientMessageId } }) => ({
        id,
        name: { by, id: clientMessageId, seq },
      }))
  }
}

/** Returns the next match before a message, or the newest one if there is no such message. */
export const olderThan = (found: readonly Found[], at: Found | null): Found | undefined =>
  found.findLast(({ name }) => at === null || name.seq < at.name.seq)

/** Returns the next match after a message. */
export const newerThan = (found: readonly Found[], at: Found | null): Found | undefined =>
  at === null ? undefined : found.find(({ name }) => name.seq > at.name.seq)

/** Returns the place of a match, where the newest one is the first; 0 if the message is no match any more. */
export function placeOf(found: readonly Found[], at: Found | null): number {
  const index = found.findIndex(({ id }) => id === at?.id)
  return index < 0 ? 0 : found.length - index
}
