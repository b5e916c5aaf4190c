import { randomUUID } from 'node:crypto'
import type { EventContract } from '@sumlock/contracts/event'
import type { Clock } from '@sumlock/service-kit/clock'
import { createLease, whileHolding } from '@sumlock/service-kit/lease'
import type { LeaseRow } from '@sumlock/service-kit/lease'
import { unpublishedIn } from '@sumlock/service-kit/backlog-metrics'
import type { Backlog } from '@sumlock/service-kit/backlog-metrics'
import { createRepeater } from '@sumlock/service-kit/repeater'
import { carryingHeaders } from '@sumlock/service-kit/request-context'
import { deleteInBatches } from '@sumlock/service-kit/write-in-batches'
import type { ClientSession, Connection } from 'mongoose'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Bus } from './bus.ts'
import { toRecord } from './envelope.ts'
import type { EventRecord } from './envelope.ts'

interface OutboxRow extends EventRecord {
  _id: string
  createdAt: Date
  /** The field is present until the event is published. A partial index finds such events. */
  pending?: true
  /** The field is absent until Kafka has acknowledged the event. */
  publishedAt?: Date
}

export interface EventOutbox {
  /** Adds an event inside the caller's transaction, so that the event is published exactly if the transaction is committed. */
  add<T extends z.ZodType>(session: ClientSession, event: EventContract<T>, data: z.output<T>): Promise<void>
  /** Publishes pending events in the background. Call it after the commit. */
  kick(): void
  /** Removes events published more than seven days ago; an unpublished event stays, however old. */
  prune(now: Date): Promise<void>
  /** Returns the unpublished events, counted up to `countedTo`. */
  backlog(countedTo: number): Promise<Backlog>
  close(): Promise<void>
}

export interface EventOutboxOptions {
  connection: Connection
  bus: Bus
  clock: Clock
  logger: Logger
  /** Events name this service as their source. */
  source: string
}

const sweepEveryMs = 5000
const leaveToKickMs = 3000
const pruneEveryMs = 3_600_000
/** Published events are kept, because a restore with `--republish` publishes those of the last hours again. */
const keepDays = 7
const batchSize = 500
const leaseRetryMs = 50

/** Creates the indexes of the outbox. Each service with an outbox has this migration in its list. */
export const outboxMigration = {
  id: 'outbox-0001-indexes',
  async up(connection: Connection): Promise<void> {
    await connection.collection('outbox').createIndexes([
      { key: { createdAt: 1 }, name: 'unpublished', partialFilterExpression: { pending: true } },
      { key: { publishedAt: 1 }, name: 'published', sparse: true },
    ])
  },
}

/**
 * Creates a transactional outbox in the service's own database. Each event is delivered at least once, and the events of
 * one key in order of commit, because one process publishes at a time. The outbox is swept every five seconds, and pruned
 * at start and every hour.
 */
export function createEventOutbox({
  connection,
  bus,
  clock,
  logger,
  source,
}: EventOutboxOptions): EventOutbox {
  const rows = connection.collection<OutboxRow>('outbox')
  const lease = createLease(connection.collection<LeaseRow>('leases'), 'outbox', bus.clientId)

  const dueUntil = (limit: Date) =>
    rows
      .find({ pending: true, createdAt: { $lte: limit } })
      .sort({ createdAt: 1 })
      .limit(batchSize)
      .toArray()

  const publishOlderThan = async (limit: Date): Promise<void> => {
    if ((await dueUntil(limit)).length === 0) return
    const wasHeld = await whileHolding(lease, clock, async (isHeld) => {
      // The events are read again, because another process may have published some of them before this one got the lease.
      for (let due = await dueUntil(limit); due.length > 0 && isHeld(); due = await dueUntil(limit)) {
        await bus.publish(due.map(({ topic, key, value, headers = {} }) => ({ topic, key, value, headers })))
        const published = { $set: { publishedAt: clock.now() }, $unset: { pending: true } } as const
        await rows.updateMany({ _id: { $in: due.map(({ _id }) => _id) } }, published)
      }
    })
    // Another process holds the lease, and may have read before this event was committed, so this process tries again.
    if (!wasHeld) setTimeout(kick, leaseRetryMs).unref()
  }
  const prune = async (now: Date, stopping?: AbortSignal) => {
    const before = new Date(now.getTime() - keepDays * 86_400_000)
    // guard: outbox-keeps-unpublished
    await deleteInBatches(rows, { publishedAt: { $lt: before } }, stopping)
  }

  let isKicked = false
  // One run at a time keeps the order. A sweep leaves recent events to the kick that follows their commit.
  const publishing = createRepeater({
    name: 'publishing the outbox',
    everyMs: sweepEveryMs,
    logger,
    run: () => {
      const leaveMs = isKicked ? 0 : leaveToKickMs
      isKicked = false
      // guard: outbox-sweeper
      return publishOlderThan(new Date(clock.now().getTime() - leaveMs))
    },
  })
  const pruning = createRepeater({
    name: 'pruning the outbox',
    everyMs: pruneEveryMs,
    logger,
    run: (stopping) => prune(clock.now(), stopping),
  })

  function kick() {
    isKicked = true
    publishing.kick()
  }

  return {
    async add(session, event, data) {
      const id = randomUUID()
      const time = clock.now()
      const record = { ...toRecord(event, data, { source, time, id }), headers: carryingHeaders() }
      // guard: outbox-in-transaction
      await rows.insertOne({ _id: id, ...record, createdAt: time, pending: true }, { session })
    },
    kick,
    prune,
    backlog: (countedTo) => unpublishedIn(rows, { pending: true }, countedTo),
    async close() {
      await Promise.all([publishing.stop(), pruning.stop()])
    },
  }
}
