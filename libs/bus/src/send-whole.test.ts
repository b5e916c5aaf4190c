import type { ProducerBatch, RecordMetadata } from 'kafkajs'
import { sendWhole } from './send-whole.ts'

const batch: ProducerBatch = { topicMessages: [{ topic: 'a', messages: [{ value: 'b' }] }] }

/** Sends to a Kafka that fails so many times. */
async function sendFailing(times: number, name: string) {
  const sent: ProducerBatch[] = []
  const sendBatch = (one: ProducerBatch): Promise<RecordMetadata[]> => {
    sent.push(one)
    return sent.length > times
      ? Promise.resolve([])
      : Promise.reject(Object.assign(new Error('away'), { name }))
  }
  const outcome = await sendWhole({ sendBatch }, batch).catch((error: unknown) => error)
  return { sent, outcome }
}

it('sends the whole batch again while Kafka cannot take it', async () => {
  const { sent, outcome } = await sendFailing(2, 'KafkaJSNumberOfRetriesExceeded')
  expect(outcome).toBeUndefined()
  expect(sent).toEqual([batch, batch, batch])
})

it('sends a batch five times at most, and throws the last error', async () => {
  const { sent, outcome } = await sendFailing(Infinity, 'KafkaJSNumberOfRetriesExceeded')
  expect(outcome).toMatchObject({ message: 'away' })
  expect(sent).toHaveLength(5)
})

it('sends a batch that Kafka refuses once', async () => {
  const { sent, outcome } = await sendFailing(Infinity, 'KafkaJSProtocolError')
  expect(outcome).toMatchObject({ name: 'KafkaJSProtocolError' })
  expect(sent).toHaveLength(1)
})
