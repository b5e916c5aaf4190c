import { whileHolding } from '@sumlock/service-kit/lease'
import type { StoredMessage } from '../domain/message.ts'
import type { MessagePublisherOptions } from './message-publisher.ts'
import { toSentEvent } from './sent-event.ts'

const everyMs = 2000
/** A message that is still unpublished at this age is swept. */
export const sweptAfterMs = 3000
const batch = 500
/** A message becomes visible a little later than its date, and the clocks of replicas differ. */
const overlapMs = 10_000
/** An election may undo earlier moves. */
const wholeEveryMs = 60_000

type SweepOptions = Pick<
  MessagePublisherOptions,
  'bus' | 'messages' | 'memberActivity' | 'sweepLease' | 'clock' | 'logger'
>

/**
 * Every two seconds, moves the rows of messages that are still unpublished after three, and publishes them. Each replica
 * moves, with Kafka or without; only one at a time publishes.
 */
export function startMessageSweep({
  bus,
  messages,
  memberActivity,
  sweepLease,
  clock,
  logger,
}: SweepOptions) {
  const moveRows = createRowSweep({ messages, memberActivity })

  const publishNext = async (limit: Date): Promise<{ published: number; hasMore: boolean }> => {
    const left = await messages.unpublishedBefore(limit, batch)
    const locked = new Set<StoredMessage>(await memberActivity.moveSurely(left))
    const ready = left.filter((message) => !locked.has(message))
    if (ready.length > 0) {
      // After a crash in between, the sweep repeats both in the same order.
      await bus.publish(ready.map(toSentEvent))
      await messages.markPublished(ready.map(({ _id }) => _id))
    }
    return { published: ready.length, hasMore: left.length === batch && ready.length > 0 }
  }

  const sweep = async (now: Date): Promise<number> => {
    const limit = new Date(now.getTime() - sweptAfterMs)
    let swept = 0
    const publishLeft = async (isHeld: () => boolean) => {
      for (;;) {
        const { published, hasMore } = await publishNext(limit)
        swept += published
        if (!hasMore || !isHeld()) return
      }
    }
    // guard: message-sweeper
    const left = await messages.unpublishedBefore(limit, 1)
    if (left.length === 0) return 0
    await moveRows(now, limit)
    await whileHolding(sweepLease, clock, publishLeft)
    if (swept > 0) logger.info({ records: swept }, 'message sweep published records')
    return swept
  }

  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= sweep(clock.now())
      .catch((error: unknown) => logger.warn({ err: error }, 'message sweep failed and will run again'))
      .finally(() => (running = undefined))
  }, everyMs).unref()

  return {
    sweep,
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

/** Moves the rows of the whole backlog once a minute, and the rows of its newest messages each time. */
function createRowSweep({ messages, memberActivity }: Pick<SweepOptions, 'messages' | 'memberActivity'>) {
  let movedUntilMs = -Infinity
  let wholeAtMs = -Infinity
  return async (now: Date, limit: Date): Promise<void> => {
    const isWhole = now.getTime() - wholeAtMs >= wholeEveryMs
    const fromMs = isWhole ? 0 : Math.max(0, movedUntilMs - overlapMs)
    let areAllMoved = true
    for await (const page of messages.unpublishedFrom(new Date(fromMs), limit, batch))
      if ((await memberActivity.moveSurely(page)).length > 0) areAllMoved = false
    // The next sweep begins where a row was locked.
    if (!areAllMoved) return
    movedUntilMs = limit.getTime()
    if (isWhole) wholeAtMs = now.getTime()
  }
}
