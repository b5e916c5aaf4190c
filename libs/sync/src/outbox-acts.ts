import { idOf, isAct } from './outbox-items.ts'
import type { ActItem, OutboxEntry } from './ports.ts'

/**
 * Returns the entries with a new act. A message that is taken back leaves them, and the act takes its place, so that a
 * send without an answer cannot store the message later. No act is needed if no page has tried to send it.
 */
export function withAct(
  entries: readonly OutboxEntry[],
  item: ActItem,
  isTried: (id: string) => boolean,
): readonly OutboxEntry[] {
  const { act, target } = item.message
  if (act !== 'unsend') return [...entries, item]
  const left = entries.filter((entry) => entry.status === 'sending' || !isActOn(entry, target.id))
  const at = left.findIndex((entry) => idOf(entry) === target.id)
  if (at < 0) return [...left, item]
  return isTried(target.id) ? left.with(at, item) : left.toSpliced(at, 1)
}

/** Returns the entries without a message and the acts on it. */
export const withoutMessage = (entries: readonly OutboxEntry[], id: string): readonly OutboxEntry[] =>
  entries.filter((entry) => idOf(entry) !== id && !isActOn(entry, id))

const isActOn = (entry: OutboxEntry, id: string) => isAct(entry) && entry.message.target.id === id
