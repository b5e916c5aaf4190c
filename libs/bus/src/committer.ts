import type { Logger } from '@sumlock/service-kit/logger'
import type { Consumer } from 'kafkajs'

export interface Committer {
  /** Records that the event at this offset was handled. */
  add(topic: string, partition: number, offset: string): void
  /** Returns whether the consumer is stopping, so that no further event may be handled. */
  isStopping(): boolean
  /** Commits the handled offsets at once if the consumer is stopping. */
  batchEnded(): Promise<void>
  /** Commits the handled offsets. When Kafka refuses them, they are dropped, and their events may be handled again. */
  flush(): Promise<void>
}

/**
 * Offsets are committed this often, because a commit costs the broker a write and kafkajs would make one for every batch of
 * a partition.
 */
const commitEveryMs = 1000

/** Commits the offsets of handled events once a second, before a rebalance and when the consumer stops. */
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
      logger.warn({ err: error }, 'the consumer could not commit offsets; their events may be handled again')
    }
  }
  consumer.on(consumer.events.REBALANCING, () => void flush())
  // Another member of the group may have taken over these partitions, so their offsets are dropped.
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
