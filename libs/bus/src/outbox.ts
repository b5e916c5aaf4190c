import { randomUUID } from 'node:crypto'
import type { EventContract } from '@sumlock/contracts/event'
import { unpublishedIn } from '@sumlock/service-kit/backlog-metrics'
import type { Backlog } from '@sumlock/service-kit/backlog-metrics'
import { createRepeater } from '@sumlock/service-kit/repeater'
import { carryingHeaders } from '@sumlock/service-kit/request-context'
import type { ClientSession, Connection } from 'mongoose'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Bus } from './bus.ts'
import { toRecord } from './envelope.ts'
import type { EventRecord } from './envelope.ts'

interface OutboxRow extends EventRecord {
  _id: string
  createdAt: Date
  /** Absent until Kafka acknowledged it. */
  publishedAt?: Date
}

export interface EventOutbox {
  /** Adds an event inside the caller's transaction: it is published exactly if the transaction is committed. */
  add<T extends z.ZodType>(session: ClientSession, event: EventContract<T>, data: z.output<T>): Promise<void>
  /** Call after the commit: publishes pending events in the background. */
  kick(): void
  /** Removes events published more than seven days ago; an unpublished event stays, however old. */
  prune(now: Date): Promise<void>
  /** The unpublished events, counted up to a limit. */
  backlog(countedTo: number): Promise<Backlog>
  close(): Promise<void>
}

export interface EventOutboxOptions {
  connection: Connection
  bus: Bus
  clock: { now(): Date }
  logger: Logger
  /** Name of the service. */
  source: string
}

const sweepEveryMs = 1000
const leaveToKickMs = 3000
const pruneEveryMs = 3_600_000
const keepDays = 7
const batchSize = 500

/** The indexes of the outbox; part of the service's list of migrations. */
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
 * A transactional outbox in the service's own database. Delivery is at least once, in order of commit per key. Sweeps
 * every second, and prunes at start and every hour.
 */
export function createEventOutbox({
  connection,
  bus,
  clock,
  logger,
  source,
}: EventOutboxOptions): EventOutbox {
  const rows = connection.collection<OutboxRow & { pending?: true }>('outbox')

  const publishOlderThan = async (limit: Date): Promise<void> => {
    const due = await rows
      .find({ pending: true, createdAt: { $lte: limit } })
      .sort({ createdAt: 1 })
      .limit(batchSize)
      .toArray()
    if (due.length === 0) return
    await bus.publish(due.map(({ topic, key, value, headers = {} }) => ({ topic, key, value, headers })))
    const ids = due.map((row) => row._id)
    await rows.updateMany(
      { _id: { $in: ids } },
      { $set: { publishedAt: clock.now() }, $unset: { pending: true } },
    )
  }
  const prune = async (now: Date) => {
    // guard: outbox-keeps-unpublished
    await rows.deleteMany({ publishedAt: { $lt: new Date(now.getTime() - keepDays * 86_400_000) } })
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
    run: () => prune(clock.now()),
  })

  return {
    async add(session, event, data) {
      const id = randomUUID()
      const time = clock.now()
      const record = { ...toRecord(event, data, { source, time, id }), headers: carryingHeaders() }
      // guard: outbox-in-transaction
      await rows.insertOne({ _id: id, ...record, createdAt: time, pending: true }, { session })
    },
    kick() {
      isKicked = true
      publishing.kick()
    },
    prune,
    backlog: (countedTo) => unpublishedIn(rows, { pending: true }, countedTo),
    async close() {
      await Promise.all([publishing.stop(), pruning.stop()])
    },
  }
}
