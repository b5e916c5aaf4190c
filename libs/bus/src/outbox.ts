import { randomUUID } from 'node:crypto'
import type { EventContract } from '@sumlock/contracts/event'
import { unpublishedIn } from '@sumlock/service-kit/backlog-metrics'
import type { Backlog } from '@sumlock/service-kit/backlog-metrics'
import { carryingHeaders, runFor } from '@sumlock/service-kit/request-context'
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

export interface Outbox {
  /** Adds an event inside the caller's transaction: it is said exactly when the transaction is committed. */
  add<T extends z.ZodType>(session: ClientSession, event: EventContract<T>, data: z.output<T>): Promise<void>
  /** Call after the commit: publishes what waits, without making the caller wait. */
  kick(): void
  /** Publishes what a crash left behind; resolves with how many. */
  sweep(now: Date): Promise<number>
  /** Forgets what was published more than seven days ago; what was not published stays, however old. */
  prune(now: Date): Promise<void>
  /** What waits for Kafka, counted up to a limit. */
  backlog(countedTo: number): Promise<Backlog>
  close(): Promise<void>
}

export interface OutboxOptions {
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

/** Indexes of the outbox; part of the service's own list of migrations. */
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
export function createOutbox({ connection, bus, clock, logger, source }: OutboxOptions): Outbox {
  const rows = connection.collection<OutboxRow & { pending?: true }>('outbox')
  let running: Promise<number> | undefined
  let again = false

  const publishOlderThan = async (limit: Date): Promise<number> => {
    const due = await rows
      .find({ pending: true, createdAt: { $lte: limit } })
      .sort({ createdAt: 1 })
      .limit(batchSize)
      .toArray()
    if (due.length === 0) return 0
    await bus.publish(due.map(({ topic, key, value, headers = {} }) => ({ topic, key, value, headers })))
    const ids = due.map((row) => row._id)
    await rows.updateMany(
      { _id: { $in: ids } },
      { $set: { publishedAt: clock.now() }, $unset: { pending: true } },
    )
    return due.length
  }

  // One run at a time keeps the order; a kick during a run is remembered.
  const runOnce = (limit: () => Date): Promise<number> => {
    if (running) {
      again = true
      return running
    }
    running = publishOlderThan(limit())
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'outbox will try again')
        return 0
      })
      .finally(() => {
        running = undefined
        if (again) {
          again = false
          void runOnce(limit)
        }
      })
    return running
  }

  const sweep = (now: Date) => runOnce(() => new Date(now.getTime() - leaveToKickMs))
  const prune = async (now: Date) => {
    // guard: outbox-keeps-unsaid
    await rows.deleteMany({ publishedAt: { $lt: new Date(now.getTime() - keepDays * 86_400_000) } })
  }
  let pruning: Promise<void> = Promise.resolve()
  const pruneNow = () => {
    pruning = prune(clock.now()).catch((error: unknown) =>
      logger.warn({ err: error }, 'outbox will be pruned later'),
    )
  }
  pruneNow()
  const timers = [
    // guard: outbox-sweeper
    setInterval(() => void sweep(clock.now()), sweepEveryMs),
    setInterval(pruneNow, pruneEveryMs),
  ]
  for (const timer of timers) timer.unref()

  return {
    async add(session, event, data) {
      const id = randomUUID()
      const time = clock.now()
      const record = { ...toRecord(event, data, { source, time, id }), headers: carryingHeaders() }
      // guard: outbox-in-transaction
      await rows.insertOne({ _id: id, ...record, createdAt: time, pending: true }, { session })
    },
    kick: () => void runFor(undefined, () => runOnce(() => clock.now())),
    sweep,
    prune,
    backlog: (countedTo) => unpublishedIn(rows, { pending: true }, countedTo),
    async close() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all([running, pruning])
    },
  }
}
