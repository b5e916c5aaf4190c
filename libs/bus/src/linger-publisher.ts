import { runFor } from '@sumlock/service-kit/request-context'
import type { Bus, OutgoingRecord } from './bus.ts'
import { hintedHeader } from './envelope.ts'

export interface LingerPublisher {
  /**
   * Queues a record and calls `acknowledged` once Kafka has the record. Returns false when the queue is full; the sweeper
   * then publishes the record.
   */
  enqueue(record: OutgoingRecord, acknowledged: () => void): boolean
  /** Sends all queued records and waits for Kafka's answer. */
  flush(): Promise<void>
}

export interface LingerOptions {
  /** Two requests to Kafka are at least this many ms apart. Records that come in between are sent together. */
  gapMs?: number
  /** Two requests are at least this many ms apart while a hint has already delivered every queued record. */
  hintedGapMs?: number
  /** The queue holds this many records at most; `enqueue` refuses further ones. */
  capacity?: number
}

/**
 * Batches the records of a hot path. One request to Kafka is in flight at a time: at most two start in a second while a
 * hint has delivered all records, and else at most ten. A batch that fails is dropped here, because its records are still
 * marked as unpublished in the database and the sweeper sends them again.
 */
export function createLingerPublisher(
  bus: Bus,
  { gapMs = 100, hintedGapMs = 500, capacity = 20_000 }: LingerOptions = {},
): LingerPublisher {
  let queue: { record: OutgoingRecord; acknowledged: () => void }[] = []
  let isUrgent = false
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let sentAt = -Infinity

  const disarm = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const send = async (): Promise<void> => {
    disarm()
    sentAt = performance.now()
    const batch = queue
    queue = []
    isUrgent = false
    try {
      await bus.publish(batch.map(({ record }) => record))
      for (const { acknowledged } of batch) acknowledged()
    } catch (error) {
      bus.logger.warn(
        { err: error, records: batch.length },
        'a batch could not be published to Kafka; the sweeper will publish its records',
      )
    }
  }
  const arm = () => {
    if (timer || sending || queue.length === 0) return
    const sendNow = () => {
      sending = send().finally(() => {
        sending = undefined
        arm()
      })
    }
    const gap = isUrgent ? gapMs : hintedGapMs
    // A batch holds the records of many requests, so its log lines carry no request id.
    timer = runFor(undefined, () => setTimeout(sendNow, Math.max(0, sentAt + gap - performance.now())))
  }

  return {
    enqueue(record, acknowledged) {
      if (queue.length >= capacity) return false
      queue.push({ record, acknowledged })
      if (!isUrgent && !record.headers?.[hintedHeader]) {
        isUrgent = true
        disarm()
      }
      arm()
      return true
    },
    async flush() {
      await sending
      if (queue.length > 0) await send()
    },
  }
}
