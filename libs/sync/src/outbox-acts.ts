import { idOf, isAct } from './outbox-items.ts'
import type { ActItem, OutboxEntry, OutgoingAct } from './ports.ts'

/** Sets or takes back the own reaction to a message of either person. */
export type ReactionAct = Extract<OutgoingAct, { act: 'reaction' }>

/**
 * Returns the entries with a new act. A message that is taken back leaves them, and the act takes its place, so that a
 * send without an answer cannot store the message later. The act is needed even if this page has not tried to send the
 * message, because another tab may have loaded it from the store.
 */
export function withAct(entries: readonly OutboxEntry[], item: ActItem): readonly OutboxEntry[] {
  const { act, target } = item.message
  if (item.message.act === 'reaction') return withReaction(entries, item, item.message)
  if (act !== 'unsend') return [...entries, item]
  const left = entries.filter((entry) => entry.status === 'sending' || !isActOn(entry, target.id))
  const at = left.findIndex((entry) => idOf(entry) === target.id)
  if (at < 0) return [...left, item]
  const replaced = entries.filter((entry) => idOf(entry) === target.id || !left.includes(entry))
  return left.with(at, { ...item, replaced })
}

/**
 * Returns the entries with a new reaction. It takes the place of one that was not tried yet. A tried one stays before it,
 * because the server may have applied that one.
 */
function withReaction(
  entries: readonly OutboxEntry[],
  item: ActItem,
  act: ReactionAct,
): readonly OutboxEntry[] {
  const { by, id } = act.target
  const at = entries.findLastIndex(
    ({ message }) =>
      'act' in message && message.act === 'reaction' && message.target.id === id && message.target.by === by,
  )
  const former = entries[at]
  if (!former) return [...entries, item]
  if (!isUntried(former)) return [...entries, { ...item, message: { ...act, replaces: idOf(former) } }]
  const { replaces } = former.message as ReactionAct
  // There is nothing to take back if nothing was sent.
  if (act.content === undefined && replaces === null) return entries.filter((_, index) => index !== at)
  return entries.with(at, { ...item, message: { ...act, replaces } })
}

const isUntried = (entry: OutboxEntry) => isAct(entry) && entry.status === 'waiting' && !entry.isTried

/**
 * Returns the entries without a refused act, and without the reaction that would have replaced a refused one. The message
 * whose place the act took comes back, and is not sent unless the person wants it.
 */
export function withoutRefused(entries: readonly OutboxEntry[], act: ActItem): readonly OutboxEntry[] {
  const back = (act.replaced ?? []).map((entry): OutboxEntry => {
    if (isAct(entry)) return { ...entry, status: 'waiting' }
    const { status = null, code = null, resetsAt = null } = act.failure ?? {}
    const message = 'If it should not be sent, discard it.'
    return { ...entry, status: 'failed', failure: { status, code, message, resetsAt, retryAfterMs: null } }
  })
  const isBehind = ({ message }: OutboxEntry) =>
    'act' in message && message.act === 'reaction' && message.replaces === idOf(act)
  return entries.flatMap((entry) => (entry === act ? back : isBehind(entry) ? [] : [entry]))
}

/** Returns the entries without a message and the acts on it. */
export const withoutMessage = (entries: readonly OutboxEntry[], id: string): readonly OutboxEntry[] =>
  entries.filter((entry) => idOf(entry) !== id && !isActOn(entry, id))

const isActOn = (entry: OutboxEntry, id: string) => isAct(entry) && entry.message.target.id === id
