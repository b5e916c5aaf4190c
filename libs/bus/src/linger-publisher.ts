import { runFor } from '@sumlock/service-kit/request-context'
import type { Bus, OutgoingRecord } from './bus.ts'
import { hintedHeader } from './envelope.ts'

export interface LingerPublisher {
  /** Queues a record and calls `acknowledged` once Kafka has it. False when the queue is full: leave it to the sweeper. */
  enqueue(record: OutgoingRecord, acknowledged: () => void): boolean
  /** Sends what is queued and waits for it. */
  flush(): Promise<void>
}

export interface LingerOptions {
  /** Least time between two requests to Kafka, ms; records that come in between are sent together. */
  gapMs?: number
  /** The same while a hint has already delivered every queued record. */
  hintedGapMs?: number
  /** Records held at most; `enqueue` refuses further ones. */
  capacity?: number
}

/**
 * Batches the records of a hot path: one request to Kafka at a time, at most two a second for records that a hint has delivered,
 * ten for others. A batch that fails is dropped here, because its records are still marked as unpublished in the database and the
 * sweeper sends them again.
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
        'Kafka batch failed; its records are left to the sweeper',
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
    // A batch holds the records of many requests: its log lines carry no request id.
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
