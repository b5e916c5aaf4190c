import type { MessageRecord, StoredMessage } from '../domain/message.ts'
import type { MessagePublisherOptions } from './message-publisher.ts'
import { sweptAfterMs } from './message-sweep.ts'

const markEveryMs = 1000

type MarkerOptions = Pick<MessagePublisherOptions, 'messages' | 'memberActivity' | 'clock' | 'logger'>

/**
 * Marks messages as published once Kafka has acknowledged them and the majority has the updates of their members' rows.
 * Until the majority has them, a message is checked again; when it is old enough, the sweep handles it.
 */
export function createPublishedMarker({ messages, memberActivity, clock, logger }: MarkerOptions) {
  let acknowledged: StoredMessage[] = []
  let marking: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const schedule = (): void => {
    if (isStopped || acknowledged.length === 0) return
    timer ??= setTimeout(() => {
      timer = undefined
      void flush()
    }, markEveryMs)
  }

  const mark = async (records: readonly StoredMessage[]): Promise<void> => {
    const keys = await memberActivity.moved(records)
    if (keys.length > 0) await messages.markPublished(keys)
    const marked = new Set(keys)
    const sweptBefore = clock.now().getTime() - sweptAfterMs
    acknowledged.push(
      ...records.filter(({ _id, createdAt }) => !marked.has(_id) && createdAt.getTime() > sweptBefore),
    )
    schedule()
  }

  const flush = (): Promise<void> => {
    const records = acknowledged
    acknowledged = []
    marking = marking
      .then(() => mark(records))
      .catch((error: unknown) =>
        logger.warn(
          { err: error, records: records.length },
          'messages could not be marked as published; the sweep will publish them again',
        ),
      )
    return marking
  }

  return {
    add({ _id, conversationId, memberIds, senderId, seq, createdAt, isHidden }: MessageRecord) {
      const stored = { _id, conversationId, memberIds, senderId, seq, createdAt }
      acknowledged.push(isHidden ? { ...stored, isHidden } : stored)
      schedule()
    },
    flush,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
