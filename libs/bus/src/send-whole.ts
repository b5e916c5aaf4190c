import { setTimeout as wait } from 'node:timers/promises'
import type { Producer, ProducerBatch } from 'kafkajs'

const pausesMs = [100, 200, 400, 800]

/**
 * Sends a batch, and sends all of it again up to four times while Kafka cannot take it. The producer must repeat nothing itself:
 * when a partition has moved to a broker that already took its part of the batch, the producer counts the records of that
 * partition as sent and sends them nowhere (kafkajs issue 1303).
 */
export async function sendWhole(producer: Pick<Producer, 'sendBatch'>, batch: ProducerBatch): Promise<void> {
  for (const pauseMs of pausesMs) {
    try {
      await producer.sendBatch(batch)
      return
    } catch (error) {
      // The producer throws this error for failures that may be tried again.
      if (!(error instanceof Error) || error.name !== 'KafkaJSNumberOfRetriesExceeded') throw error
      await wait(pauseMs * (0.8 + 0.4 * Math.random()))
    }
  }
  await producer.sendBatch(batch)
}
