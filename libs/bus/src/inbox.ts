import { createRepeater } from '@sumlock/service-kit/repeater'
import { deleteInBatches } from '@sumlock/service-kit/write-in-batches'
import type { ClientSession, Connection } from 'mongoose'
import type { Logger } from 'pino'

interface InboxRow {
  /** The consumer and the id of the event. */
  _id: string
  recordedAt: Date
}

export interface EventInbox {
  /**
   * Call it first in the transaction of an event's effect. False when this consumer has handled the event before: then
   * the transaction must change nothing. Of two transactions at once, one collides and must be repeated, as
   * `connection.transaction` does.
   */
  recordOnce(this: void, session: ClientSession, consumer: string, eventId: string): Promise<boolean>
  /** Removes rows older than 30 days. */
  prune(now: Date): Promise<void>
  close(): Promise<void>
}

export interface EventInboxOptions {
  connection: Connection
  clock: { now(): Date }
  logger: Logger
}

const pruneEveryMs = 3_600_000
/** Longer than Kafka keeps an event or its dead letter (14 days), so that a replayed one is recognised. */
const keepDays = 30

/** The index of the inbox; part of the service's list of migrations. */
export const inboxMigration = {
  id: 'inbox-0001-indexes',
  async up(connection: Connection): Promise<void> {
    await connection.collection('inbox').createIndex({ recordedAt: 1 }, { name: 'recordedAt' })
  },
}

/**
 * The events that a service has handled, for effects that cannot be made idempotent by an id or a version of their own.
 * Prunes at start and every hour.
 */
export function createEventInbox({ connection, clock, logger }: EventInboxOptions): EventInbox {
  const rows = connection.collection<InboxRow>('inbox')
  const prune = async (now: Date, stopping?: AbortSignal) => {
    const old = { recordedAt: { $lt: new Date(now.getTime() - keepDays * 86_400_000) } }
    await deleteInBatches(rows, old, stopping)
  }
  const pruning = createRepeater({
    name: 'pruning the inbox',
    everyMs: pruneEveryMs,
    logger,
    run: (stopping) => prune(clock.now(), stopping),
  })
  return {
    async recordOnce(session, consumer, eventId) {
      // An upsert, because a duplicate key would abort the transaction.
      const { upsertedCount } = await rows.updateOne(
        { _id: `${consumer}:${eventId}` },
        { $setOnInsert: { recordedAt: clock.now() } },
        // guard: inbox-in-transaction
        { upsert: true, session },
      )
      return upsertedCount === 1
    },
    prune,
    close: pruning.stop,
  }
}
