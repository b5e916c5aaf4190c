import type { Message } from '@sumlock/contracts/messaging-routes'
import { createBackoffs } from './backoffs.ts'
import { remedyOf, toFailure } from './failure.ts'
import type { Remedy } from './failure.ts'
import { createListeners } from './listeners.ts'
import { withoutRefused } from './outbox-acts.ts'
import { idOf, isAct } from './outbox-items.ts'
import type { OutboxItems } from './outbox-items.ts'
import type { OutboxOptions } from './outbox.ts'
import type { OutboxEntry, Outgoing, OutgoingAct, SyncFailure } from './ports.ts'
import { within } from './within.ts'

interface SenderOptions extends OutboxOptions {
  answerWithinMs: number
  items: OutboxItems
  state: () => 'loading' | 'open' | 'closed'
}

/** An act is given up when the server wants a longer wait than this, because what is written later waits behind it. */
const actWaitsMs = 60_000

/** Sends what a conversation has in the outbox, one at a time and in order. */
export function createSender({ api, clock, answerWithinMs, items, state, ...options }: SenderOptions) {
  /** True while the session may not send. The next kick tries again. */
  let held = false
  const stored = createListeners<[Message]>()
  const refused = createListeners<[OutgoingAct, SyncFailure]>()
  const backoffs = createBackoffs(clock, (conversationId) => pump(conversationId))

  const call = (outgoing: Outgoing, signal: AbortSignal): Promise<Message> =>
    'act' in outgoing
      ? (api.sendAct?.(outgoing, signal) ?? Promise.reject(new Error('This outbox sends no acts.')))
      : api.sendMessage(outgoing, signal)
  const send = async (item: OutboxEntry) => {
    const { conversationId } = item.message
    items.patch(idOf(item), { status: 'sending', ...(isAct(item) && { isTried: true }) })
    const attempt = within(clock, answerWithinMs, async (signal) => {
      const prepared = await preparedOf(item, items, options)
      if (!items.find(idOf(item))) throw new Error('It was taken back while it was prepared.')
      return call(prepared, signal)
    })
    await attempt.then(
      (message) => {
        backoffs.reset(conversationId)
        if (state() === 'closed') return
        stored.emit(message)
        items.remove(idOf(item))
      },
      (error: unknown) => settle(item, toFailure(error)),
    )
    pump(conversationId)
  }
  const settle = (item: OutboxEntry, failure: SyncFailure) => {
    const { conversationId } = item.message
    const remedy = remedyFor(item, failure)
    if (remedy === 'wait-for-session') held = true
    // A message may have been taken back during the attempt, and have come back as failed.
    if (items.find(idOf(item))?.status === 'sending')
      items.patch(idOf(item), { status: remedy === 'give-up' ? 'failed' : 'waiting', failure })
    reportRefused()
    if (remedy !== 'retry') backoffs.reset(conversationId)
    else if (state() !== 'closed') backoffs.start(conversationId, failure.retryAfterMs)
  }
  /** Removes refused acts and reports them, as soon as there is somebody to tell the person. */
  const reportRefused = () => {
    if (refused.isEmpty) return
    for (const act of items.acts) {
      if (act.status !== 'failed' || !act.failure) continue
      items.set(withoutRefused(items.all, act))
      refused.emit(act.message, act.failure)
    }
  }
  /** Sends the next entry of a conversation, unless one is being sent or the conversation is backing off. */
  const pump = (conversationId: string) => {
    if (state() !== 'open' || held || backoffs.isWaiting(conversationId)) return
    const queue = items.all.filter((item) => item.message.conversationId === conversationId)
    // An act waits for its message, which may have failed.
    const isDue = (item: OutboxEntry) =>
      item.status === 'waiting' && !(isAct(item) && items.find(item.message.target.id))
    const next = queue.find(isDue)
    if (next && !queue.some(({ status }) => status === 'sending')) void send(next)
  }
  const kick = () => {
    held = false
    reportRefused()
    backoffs.resetAll()
    for (const id of new Set(items.all.map((item) => item.message.conversationId))) pump(id)
  }
  return {
    ...{ pump, kick, isHeld: () => held, stop: backoffs.resetAll },
    onStored: stored.add,
    onRefused: (listener: (act: OutgoingAct, failure: SyncFailure) => void) => {
      const stop = refused.add(listener)
      reportRefused()
      return stop
    },
  }
}

function remedyFor(item: OutboxEntry, failure: SyncFailure): Remedy {
  if (isAct(item) && (failure.retryAfterMs ?? 0) > actWaitsMs) return 'give-up'
  return remedyOf(failure)
}

/** Returns what to send. It is sealed once, however many attempts send it. */
async function preparedOf(
  item: OutboxEntry,
  items: OutboxItems,
  { prepare, prepareAct }: Pick<OutboxOptions, 'prepare' | 'prepareAct'>,
): Promise<Outgoing> {
  // What is not sealed is prepared again at each attempt, because the partner may have a key by then.
  if (isSealed(item.prepared)) return item.prepared
  const prepared = await (isAct(item) ? prepareAct?.(item.message) : prepare?.(item.message))
  if (!prepared) return item.message
  // An earlier attempt that timed out may have sealed it in the meantime.
  const sealed = items.find(idOf(item))?.prepared
  if (isSealed(sealed)) return sealed
  items.patch(idOf(item), { prepared })
  return prepared
}

const isSealed = (outgoing: Outgoing | undefined): outgoing is Outgoing =>
  outgoing !== undefined && 'sealed' in outgoing && outgoing.sealed !== undefined
