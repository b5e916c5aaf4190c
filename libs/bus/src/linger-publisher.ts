import { runFor } from '@sumlock/service-kit/request-context'
import type { Bus, OutgoingRecord } from './bus.ts'

export interface LingerPublisher {
  /** Queues a record; `acknowledged` runs once Kafka has it. False when the queue is full: the sweeper's turn. */
  enqueue(record: OutgoingRecord, acknowledged: () => void): boolean
  /** Sends what is queued and waits for it; for a stop in order. */
  flush(): Promise<void>
}

export interface LingerOptions {
  /** How long a record may wait for company, in ms. Delivery does not depend on it. */
  lingerMs?: number
  /** Records held at most; beyond it nothing is dropped silently, `enqueue` says no. */
  capacity?: number
}

/**
 * Batches records of a hot path: one request to Kafka at a time. A batch that fails is given up here, because what
 * it carried is still marked as unpublished in the database and the sweeper sends it again.
 */
export function createLingerPublisher(
  bus: Bus,
  { lingerMs = 25, capacity = 20_000 }: LingerOptions = {},
): LingerPublisher {
  let queue: { record: OutgoingRecord; acknowledged: () => void }[] = []
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined

  const send = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const batch = queue
    queue = []
    try {
      await bus.publish(batch.map(({ record }) => record))
      for (const { acknowledged } of batch) acknowledged()
    } catch (error) {
      bus.logger.warn({ err: error, records: batch.length }, 'left to the sweeper')
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
    // Many requests' records go together: what is said about them is said for none.
    timer = runFor(undefined, () => setTimeout(sendNow, lingerMs))
  }

  return {
    enqueue(record, acknowledged) {
      if (queue.length >= capacity) return false
      queue.push({ record, acknowledged })
      arm()
      return true
    },
    async flush() {
      await sending
      if (queue.length > 0) await send()
    },
  }
}
