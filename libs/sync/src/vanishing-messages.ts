import type { Message } from '@sumlock/contracts/messaging-routes'
import type { KnownMessages } from './known-messages.ts'
import { applyRead } from './message-list.ts'
import type { Outbox } from './outbox.ts'
import type { HistoryQuery, MessageName, SyncClock } from './ports.ts'
import { learnEnds } from './vanishing-acts.ts'
import type { VanishWatch } from './vanishing.ts'
import { isEmptiedTooSoon, lacksEnd, nextEndMs, vanishesAtMs, withEarly, withoutDue } from './vanishing.ts'

const pageSize = 200

/**
 * Returns a function that empties what is due among the known messages, and returns when the next one vanishes. The
 * outbox learns their ends.
 */
export function vanishingPart(
  known: KnownMessages,
  { conversationId, userId, outbox }: { conversationId: string; userId: string; outbox: Outbox },
): (nowMs: number) => number {
  const endOf = ({ by, id }: MessageName) => {
    const target = known.state.messages.find((one) => one.clientMessageId === id && one.senderId === by)
    return target ? vanishesAtMs({ ...target, isVanished: undefined }, userId) : Infinity
  }
  return (nowMs) => {
    learnEnds(outbox, conversationId, endOf)
    const messages = withEarly(withoutDue(known.state.messages, userId, nowMs), nowMs)
    if (messages !== known.state.messages) known.update({ ...known.state, messages })
    return nextEndMs(messages, userId)
  }
}

/** Marks messages as read. Returns whether an end of their time is now to be fetched. */
export function readMessages(
  known: KnownMessages,
  { userId, readerId, seq }: { userId: string; readerId: string; seq: number },
): boolean {
  const before = known.state
  known.update(applyRead(before, readerId, seq))
  const isOwn = known.state !== before && readerId === userId
  return isOwn && known.state.messages.some((message) => lacksEnd(message, userId))
}

interface EndsOptions {
  userId: string
  clock: Pick<SyncClock, 'nowMs'>
  vanishing?: Pick<VanishWatch, 'nowMs'>
}

/**
 * Fetches messages again that were read, because reading sets the end of their time, which comes with the message only;
 * and those that this client has emptied before their time, because a clock was wrong.
 */
export async function fetchEnds(
  known: KnownMessages,
  { userId, clock, vanishing = clock }: EndsOptions,
  fetchPage: (query: HistoryQuery) => Promise<Message[]>,
): Promise<void> {
  for (let seq = 0; !known.closed;) {
    const isWanted = (message: Message) =>
      lacksEnd(message, userId) || isEmptiedTooSoon(message, userId, vanishing.nowMs())
    const from = seq
    const next = known.state.messages.find((message) => message.seq > from && isWanted(message))
    if (!next) return
    const page = await fetchPage({ after: next.seq - 1, limit: pageSize })
    known.hint(page, 'receivedByFetch')
    seq = Math.max(next.seq, page.at(-1)?.seq ?? 0)
  }
}
