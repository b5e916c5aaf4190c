import type { Bus } from '@sumlock/bus/bus'
import { hintedHeader, toRecord } from '@sumlock/bus/envelope'
import { createLingerPublisher } from '@sumlock/bus/linger-publisher'
import { messageSent } from '@sumlock/contracts/messaging-events'
import type { ServerEvent } from '@sumlock/contracts/socket'
import type { Clock } from '@sumlock/service-kit/clock'
import { whileHolding } from '@sumlock/service-kit/lease'
import type { Lease } from '@sumlock/service-kit/lease'
import type { Logger } from '@sumlock/service-kit/logger'
import { carryingHeaders, currentRequest } from '@sumlock/service-kit/request-context'
import type { Tracing } from '@sumlock/service-kit/tracing'
import { shownTo, toMessage } from '../domain/message.ts'
import type { MessageRecord, StoredMessage } from '../domain/message.ts'
import type { MemberActivity } from '../stores/member-activity.ts'
import type { MessageStore } from '../stores/message-store.ts'
import type { MemberHints } from './member-hints.ts'
import { createRowMover } from './row-mover.ts'

const markEveryMs = 1000
const sweepEveryMs = 2000
const sweepOlderThanMs = 3000
const sweepBatch = 500

export interface MessagePublisherOptions {
  bus: Bus
  memberHints: MemberHints
  messages: MessageStore
  /** Only the process that holds it sweeps. */
  sweepLease: Lease
  memberActivity: MemberActivity
  clock: Clock
  logger: Logger
  tracing: Tracing
}

export interface MessagePublisher {
  /**
   * Tells the members by Redis now, and publishes to Kafka soon. Resolves once the rows of the members have moved, or could
   * not be moved, which the sweep does then.
   */
  publish(record: MessageRecord): Promise<void>
  /** Moves the rows of a message that was stored before, whose process may have died. */
  moveRows(record: MessageRecord): Promise<void>
  /**
   * Moves the rows of messages that a crash or an outage left unpublished for more than three seconds, and publishes them;
   * resolves with their number.
   */
  sweep(now: Date): Promise<number>
  close(): Promise<void>
}

/** Publishes stored messages. A failure delays delivery and loses nothing: the sweep publishes again. */
export function createMessagePublisher(options: MessagePublisherOptions): MessagePublisher {
  const { bus, tracing, memberHints, memberActivity, logger } = options
  const publisher = createLingerPublisher(bus)
  const marker = createMarker(options)
  const sweeper = startSweeper(options)
  const mover = createRowMover((records) => memberActivity.move(records), logger)
  const unanswered = createUnanswered()

  return {
    async publish(record) {
      const request = currentRequest()
      const hinting = tracing.start('publish hint', { kind: 'producer' })
      const publishing = tracing.start('publish event', { kind: 'producer' })
      const { traceparent } = hinting
      const event: ServerEvent = { type: 'new_message', data: toMessage(record) }
      const headers = carryingHeaders(request && { ...request, traceparent: publishing.traceparent })
      const moving = mover.move(record)
      unanswered.begin()
      void memberHints.tell(shownTo(record), event, request && { ...request, traceparent }).then((taken) => {
        unanswered.end()
        hinting.end()
        const outgoing = {
          ...toEvent(record),
          headers: taken ? { ...headers, [hintedHeader]: '1' } : headers,
        }
        publisher.enqueue(outgoing, () => {
          publishing.end()
          void moving.then((isMoved) => isMoved && marker.add(record))
        })
      })
      await moving
    },
    async moveRows(record) {
      await mover.move(record)
    },
    sweep: sweeper.sweep,
    async close() {
      marker.stop()
      await sweeper.stop()
      await unanswered.none()
      await publisher.flush()
      await marker.flush()
    },
  }
}

/** Counts the hints that Redis has not answered yet, for half a second at most. */
function createUnanswered() {
  let count = 0
  let none = Promise.withResolvers<void>()
  return {
    begin() {
      count += 1
    },
    end() {
      count -= 1
      if (count > 0) return
      none.resolve()
      none = Promise.withResolvers()
    },
    none: () => (count === 0 ? Promise.resolve() : none.promise),
  }
}

function toEvent(record: MessageRecord) {
  const { memberIds, isHidden } = record
  const data = { message: toMessage(record), memberIds: [...memberIds], ...(isHidden && { isHidden }) }
  return toRecord(messageSent, data, { source: 'messaging', time: record.createdAt, id: record.messageId })
}

/** Marks messages as published that Kafka has acknowledged and whose rows are sure to stay moved. */
function createMarker({ messages, memberActivity, logger }: MessagePublisherOptions) {
  let acknowledged: StoredMessage[] = []
  let marking: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const mark = async (records: readonly StoredMessage[]): Promise<void> => {
    const keys = await memberActivity.moved(records)
    if (keys.length > 0) await messages.markPublished(keys)
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
      if (isStopped) return
      timer ??= setTimeout(() => {
        timer = undefined
        void flush()
      }, markEveryMs)
    },
    flush,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** Sweeps every two seconds. */
function startSweeper({ bus, messages, memberActivity, sweepLease, clock, logger }: MessagePublisherOptions) {
  const sweep = async (now: Date): Promise<number> => {
    const limit = new Date(now.getTime() - sweepOlderThanMs)
    let swept = 0
    const publishLeft = async (isHeld: () => boolean) => {
      for (;;) {
        const left = await messages.unpublishedBefore(limit, sweepBatch)
        if (left.length > 0) {
          // A crash in between is swept again, in the same order.
          await memberActivity.move(left, { w: 'majority' })
          await bus.publish(left.map(toEvent))
          await messages.markPublished(left.map(({ _id }) => _id))
          swept += left.length
        }
        if (left.length < sweepBatch || !isHeld()) return
      }
    }
    // guard: message-sweeper
    const left = await messages.unpublishedBefore(limit, 1)
    if (left.length > 0) await whileHolding(sweepLease, clock, publishLeft)
    if (swept > 0) logger.info({ records: swept }, 'message sweep published records')
    return swept
  }

  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= sweep(clock.now())
      .catch((error: unknown) => logger.warn({ err: error }, 'message sweep failed and will run again'))
      .finally(() => (running = undefined))
  }, sweepEveryMs).unref()

  return {
    sweep,
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
