import { whileHolding } from '@sumlock/service-kit/lease'
import type { StoredMessage } from '../domain/message.ts'
import type { MessagePublisherOptions } from './message-publisher.ts'
import { toSentEvent } from './sent-event.ts'

const everyMs = 2000
/** The sweep publishes messages that are still unpublished at this age. */
export const sweptAfterMs = 3000
const batch = 500
/**
 * Each sweep goes back this far before the end of the last one, because a message becomes visible later than its date and
 * the clocks of replicas differ.
 */
const overlapMs = 10_000
/** The whole backlog is repeated this often, because an election in MongoDB may undo earlier updates of rows. */
const wholeEveryMs = 60_000

type SweepOptions = Pick<
  MessagePublisherOptions,
  'bus' | 'messages' | 'memberActivity' | 'sweepLease' | 'clock' | 'logger'
>

/**
 * Every two seconds, updates the members' rows for messages that are still unpublished after three seconds, and publishes
 * these messages. All replicas update rows, even while Kafka is down; only the holder of the lease publishes.
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
      // After a crash between these two calls, the sweep publishes the messages again in the same order.
      const now = clock.now()
      await bus.publish(ready.map((message) => toSentEvent(message, now)))
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

/** Updates the rows for the whole backlog once a minute, and at other times only for its newest messages. */
function createRowSweep({ messages, memberActivity }: Pick<SweepOptions, 'messages' | 'memberActivity'>) {
  let movedUntilMs = -Infinity
  let wholeAtMs = -Infinity
  return async (now: Date, limit: Date): Promise<void> => {
    const isWhole = now.getTime() - wholeAtMs >= wholeEveryMs
    const fromMs = isWhole ? 0 : Math.max(0, movedUntilMs - overlapMs)
    let areAllMoved = true
    for await (const page of messages.unpublishedFrom(new Date(fromMs), limit, batch))
      if ((await memberActivity.moveSurely(page)).length > 0) areAllMoved = false
    // When a row was locked, the next sweep starts from the same time again.
    if (!areAllMoved) return
    movedUntilMs = limit.getTime()
    if (isWhole) wholeAtMs = now.getTime()
  }
}
