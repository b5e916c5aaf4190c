import { randomUUID } from 'node:crypto'
import type { KafkaMessage } from 'kafkajs'
import type { Bus } from './bus.ts'
import { createOffsetReader } from './offsets.ts'

export interface StoredRecord {
  partition: number
  message: KafkaMessage
}

/** Returns all records of a topic (named without the namespace) in order of partition and offset. Commits no offset. */
export async function readTopic(bus: Bus, topic: string): Promise<StoredRecord[]> {
  const name = `${bus.namespace}.${topic}`
  const offsets = createOffsetReader(() => bus.admin())
  const partitions = await offsets.read([name]).finally(() => offsets.close())
  const unread = new Map(partitions.filter(({ low, end }) => low < end).map((at) => [at.partition, at.end]))
  if (unread.size === 0) return []

  const found: StoredRecord[] = []
  const groupId = `${bus.namespace}.reader-${randomUUID()}`
  const consumer = bus.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 50 })
  await consumer.connect()
  try {
    await consumer.subscribe({ topic: name, fromBeginning: true })
    await new Promise<void>((resolve, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error))
      consumer
        .run({
          autoCommit: false,
          eachBatch: ({ batch }) => {
            const { partition } = batch
            for (const message of batch.messages) found.push({ partition, message })
            if (Number(batch.lastOffset()) + 1 >= (unread.get(partition) ?? 0)) unread.delete(partition)
            if (unread.size === 0) resolve()
            return Promise.resolve()
          },
        })
        .catch(reject)
    })
  } finally {
    await consumer.disconnect()
  }
  return found.sort(
    (a, b) => a.partition - b.partition || Number(a.message.offset) - Number(b.message.offset),
  )
}
