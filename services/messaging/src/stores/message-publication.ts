import { unpublishedIn } from '@sumlock/service-kit/backlog-metrics'
import type { mongo } from 'mongoose'
import type { MessageRecord } from '../domain/message.ts'

/** Finds the messages that Kafka has not acknowledged, and removes the mark of the others. */
export function createMessagePublication(collection: mongo.Collection<MessageRecord>) {
  return {
    unpublishedBefore: (limit: Date, count: number) =>
      collection
        .find({ unpublished: true, createdAt: { $lte: limit } })
        .sort({ createdAt: 1 })
        .limit(count)
        .toArray(),

    /** Yields the unpublished messages from `from` to `until` in pages, the oldest first. */
    async *unpublishedFrom(from: Date, until: Date, atOnce: number): AsyncGenerator<MessageRecord[]> {
      const filter = { unpublished: true as const, createdAt: { $gte: from, $lte: until } }
      let page: MessageRecord[] = []
      for await (const record of collection.find(filter).sort({ createdAt: 1 }).batchSize(atOnce)) {
        page.push(record)
        if (page.length < atOnce) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    },

    /** Returns the backlog of messages that Kafka has not acknowledged. */
    unpublished: (countedTo: number) => unpublishedIn(collection, { unpublished: true }, countedTo),

    /** The write does not wait for the majority. If it is lost, the sweep publishes and marks the messages again. */
    async markPublished(keys: readonly string[]): Promise<void> {
      const filter = { _id: { $in: [...keys] } }
      await collection.updateMany(
        filter,
        { $unset: { unpublished: '' } },
        { writeConcern: { w: 1, j: false } },
      )
    },
  }
}
