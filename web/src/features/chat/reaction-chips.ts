import { hasText } from '@sumlock/contracts/has-text'
import { isOneCharacter } from '@sumlock/contracts/one-character'
import type { ActItem, MessageName } from '@sumlock/sync/ports'
import type { Reaction } from '@sumlock/sync/shown-conversation'
import { lookOf, textOf } from '../sealed/look.ts'
import type { Look } from '../sealed/look.ts'

export type OpenedReaction = Reaction & { readonly look?: Look }

/** One emoji below a bubble, with those who chose it. */
export interface Chip {
  /** It is null if the reaction cannot be read on this device. */
  emoji: string | null
  isOwn: boolean
  isTheirs: boolean
  isPending: boolean
}

/** Returns whether a text may be sent as a reaction, and shown as one. An emoji that is not known here may, too. */
export const isReaction = (text: string): boolean => hasText(text) && isOneCharacter(text)

/** Returns the emoji of a reaction; null if it cannot be read, and undefined if it was taken back. */
export function emojiOf(reaction: OpenedReaction): string | null | undefined {
  if (reaction.content === '') return undefined
  const text = textOf(lookOf(reaction), reaction)
  return text !== null && isReaction(text) ? text : null
}

export const ownOf = (
  reactions: readonly OpenedReaction[] | undefined,
  userId: string,
): OpenedReaction | undefined => reactions?.find(({ by }) => by === userId)

/** Returns one chip for each person, or a single one if both chose the same emoji. */
export function chipsOf(reactions: readonly OpenedReaction[], userId: string): Chip[] {
  const own = ownOf(reactions, userId)
  const theirs = reactions.find(({ by }) => by !== userId)
  const [ownEmoji, theirEmoji] = [own && emojiOf(own), theirs && emojiOf(theirs)]
  const isPending = own?.isPending === true
  if (ownEmoji && ownEmoji === theirEmoji)
    return [{ emoji: ownEmoji, isOwn: true, isTheirs: true, isPending }]
  const chips: Chip[] = []
  if (theirEmoji !== undefined)
    chips.push({ emoji: theirEmoji, isOwn: false, isTheirs: true, isPending: false })
  if (ownEmoji !== undefined) chips.push({ emoji: ownEmoji, isOwn: true, isTheirs: false, isPending })
  return chips
}

/** Returns the own reaction to a message that is not stored yet, as `reactions` of a stored message. */
export function waitingReactions(acts: readonly ActItem[], { by, id }: MessageName): OpenedReaction[] {
  const last = acts.findLast(
    ({ message: { act, target } }) => act === 'reaction' && target.id === id,
  )?.message
  if (last?.act !== 'reaction') return []
  return [{ by, id: last.clientMessageId, content: last.content ?? '', isPending: true }]
}
