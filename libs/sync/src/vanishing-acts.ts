import { idOf, isAct } from './outbox-items.ts'
import type { Outbox } from './outbox.ts'
import type { MessageName, OutboxEntry } from './ports.ts'

/** Keeps with the acts of a conversation when their messages vanish (ms by the server's clock; Infinity where unknown). */
export function learnEnds(
  outbox: Outbox,
  conversationId: string,
  endOf: (target: MessageName) => number,
): void {
  for (const act of outbox.acts) {
    if (act.message.conversationId !== conversationId || act.message.act === 'unsend') continue
    const endsAtMs = endOf(act.message.target)
    if (endsAtMs < Infinity && endsAtMs !== act.endsAtMs) outbox.setEnd(idOf(act), endsAtMs)
  }
}

/**
 * Returns a function that removes the acts whose messages have vanished, and returns when the next one vanishes. The
 * acts may be those of an earlier page.
 */
export const actsPart = (outbox: Outbox) => (nowMs: number) => {
  const isDue = (entry: OutboxEntry) => isAct(entry) && (entry.endsAtMs ?? Infinity) <= nowMs
  if (outbox.acts.some(isDue)) void outbox.drop(isDue)
  const left = outbox.acts.filter((act) => !isDue(act))
  return Math.min(...left.map(({ endsAtMs = Infinity }) => endsAtMs))
}
