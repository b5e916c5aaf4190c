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
  if (at < 0) return [...left, item]
  const replaced = entries.filter((entry) => idOf(entry) === target.id || !left.includes(entry))
  return left.with(at, { ...item, replaced })
}

/**
 * Returns the entries without a refused act. The message whose place it took comes back, and is not sent unless the
 * person wants it.
 */
export function withoutRefused(entries: readonly OutboxEntry[], act: ActItem): readonly OutboxEntry[] {
  const back = (act.replaced ?? []).map((entry): OutboxEntry => {
    if (isAct(entry)) return { ...entry, status: 'waiting' }
    const { status = null, code = null, resetsAt = null } = act.failure ?? {}
    const message = 'If it should not be sent, discard it.'
    return { ...entry, status: 'failed', failure: { status, code, message, resetsAt, retryAfterMs: null } }
  })
  return entries.flatMap((entry) => (entry === act ? back : [entry]))
}

/** Returns the entries without a message and the acts on it. */
export const withoutMessage = (entries: readonly OutboxEntry[], id: string): readonly OutboxEntry[] =>
  entries.filter((entry) => idOf(entry) !== id && !isActOn(entry, id))

const isActOn = (entry: OutboxEntry, id: string) => isAct(entry) && entry.message.target.id === id
