import { unpublishedIn } from '@sumlock/service-kit/backlog-metrics'
import type { mongo } from 'mongoose'
import type { MessageRecord } from '../domain/message.ts'

/** Which messages Kafka has acknowledged. */
export function createMessagePublication(collection: mongo.Collection<MessageRecord>) {
  return {
    unpublishedBefore: (limit: Date, count: number) =>
      collection
        .find({ unpublished: true, createdAt: { $lte: limit } })
        .sort({ createdAt: 1 })
        .limit(count)
        .toArray(),

    /** Messages of this time that are unpublished, the oldest first, in pages. */
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

    /** The backlog of messages that Kafka has not acknowledged. */
    unpublished: (countedTo: number) => unpublishedIn(collection, { unpublished: true }, countedTo),

    /** The sweep leads to a new mark when this one is lost. */
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
