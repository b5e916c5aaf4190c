import { idOf, isAct } from './outbox-items.ts'
import type { ActItem, OutboxEntry } from './ports.ts'

/**
 * Returns the entries with a new act. A message that is taken back leaves them, and the act takes its place, so that a
 * send without an answer cannot store the message later. The act is needed even if this page has not tried to send the
 * message, because another tab may have loaded it from the store.
 */
export function withAct(entries: readonly OutboxEntry[], item: ActItem): readonly OutboxEntry[] {
  const { act, target } = item.message
  if (act !== 'unsend') return [...entries, item]
  const left = entries.filter((entry) => entry.status === 'sending' || !isActOn(entry, target.id))
  const at = left.findIndex((entry) => idOf(entry) === target.id)
  return at < 0 ? [...left, item] : left.with(at, item)
}

/** Returns the entries without a message and the acts on it. */
export const withoutMessage = (entries: readonly OutboxEntry[], id: string): readonly OutboxEntry[] =>
  entries.filter((entry) => idOf(entry) !== id && !isActOn(entry, id))

const isActOn = (entry: OutboxEntry, id: string) => isAct(entry) && entry.message.target.id === id
