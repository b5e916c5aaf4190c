import { randomUUID } from 'node:crypto'
import type { KafkaMessage } from 'kafkajs'
import type { Bus } from './bus.ts'
import { createOffsetReader } from './offsets.ts'

export interface RecordPosition {
  /** The name does not include the namespace. */
  topic: string
  partition: number
  offset: number
}

/** Returns the record at a position; null when the topic no longer keeps it or never had it. Commits no offset. */
export async function readRecord(
  bus: Bus,
  { topic, partition, offset }: RecordPosition,
): Promise<KafkaMessage | null> {
  // The position comes from a dead letter, which may contain anything.
  if (!Number.isInteger(offset)) return null
  const name = `${bus.namespace}.${topic}`
  const offsets = createOffsetReader(() => bus.admin())
  const kept = await offsets.read([name]).finally(() => offsets.close())
  if (!kept.some((at) => at.partition === partition && at.low <= offset && offset < at.end)) return null

  const groupId = `${bus.namespace}.reader-${randomUUID()}`
  const consumer = bus.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 50 })
  await consumer.connect()
  try {
    await consumer.subscribe({ topic: name, fromBeginning: true })
    return await new Promise<KafkaMessage | null>((resolve, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error))
      consumer
        .run({
          autoCommit: false,
          eachBatch: ({ batch }) => {
            const found =
              batch.partition === partition &&
              batch.messages.find((message) => Number(message.offset) >= offset)
            // A later record comes first when the topic has dropped this one since the check above.
            if (found) resolve(Number(found.offset) === offset ? found : null)
            return Promise.resolve()
          },
        })
        .then(() => consumer.seek({ topic: name, partition, offset: String(offset) }))
        .catch(reject)
    })
  } finally {
    await consumer.disconnect()
  }
}
