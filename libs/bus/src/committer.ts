import type { Logger } from '@sumlock/service-kit/logger'
import type { Consumer } from 'kafkajs'

export interface Committer {
  /** The event at this offset was handled. */
  add(topic: string, partition: number, offset: string): void
  /** Whether no further event is to be handled. */
  isStopping(): boolean
  /** Commits at once while the consumer stops. */
  batchEnded(): Promise<void>
  /** Commits the handled offsets. An offset that Kafka does not take is left out, and its event is handled again. */
  flush(): Promise<void>
}

/** A commit costs the broker a write, and kafkajs makes one for every batch of a partition. */
const commitEveryMs = 1000

/** Commits the offsets of handled events once a second, before a rebalance and at the stop. */
export function createCommitter(consumer: Consumer, logger: Logger, isStopping: () => boolean): Committer {
  const handled = new Map<string, { topic: string; partition: number; offset: string }>()
  let timer: NodeJS.Timeout | undefined

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const offsets = [...handled.values()]
    handled.clear()
    if (offsets.length === 0) return
    try {
      await consumer.commitOffsets(offsets)
    } catch (error) {
      logger.warn({ err: error }, 'offsets were not committed; their events may be handled again')
    }
  }
  consumer.on(consumer.events.REBALANCING, () => void flush())
  // Another member may have taken over these partitions.
  consumer.on(consumer.events.GROUP_JOIN, () => handled.clear())

  return {
    add(topic, partition, offset) {
      handled.set(`${topic}/${partition}`, { topic, partition, offset: String(BigInt(offset) + 1n) })
      timer ??= setTimeout(() => void flush(), commitEveryMs)
    },
    isStopping,
    batchEnded: () => (isStopping() ? flush() : Promise.resolve()),
    flush,
  }
}
