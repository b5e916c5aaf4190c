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
import { toMessage } from '../domain/message.ts'
import type { MessageRecord, StoredMessage } from '../domain/message.ts'
import type { ConversationStore } from '../stores/conversation-store.ts'
import type { MessageStore } from '../stores/message-store.ts'
import type { MemberHints } from './member-hints.ts'

/** Also the time between two writes of the sort key of a conversation. */
const markEveryMs = 1000
const sweepEveryMs = 2000
const sweepOlderThanMs = 3000
const sweepBatch = 500

export interface MessagePublisherOptions {
  bus: Bus
  memberHints: MemberHints
  messages: MessageStore
  /** Of the only process that sweeps. */
  sweepLease: Lease
  conversations: ConversationStore
  clock: Clock
  logger: Logger
  tracing: Tracing
}

export interface MessagePublisher {
  /** Tells the members by Redis now, and publishes to Kafka soon. */
  publish(record: MessageRecord): void
  /** Publishes messages that a crash or an outage left unpublished for more than three seconds; resolves with their number. */
  sweep(now: Date): Promise<number>
  close(): Promise<void>
}

/** Publishes stored messages. A failure delays delivery and loses nothing: the sweep publishes again. */
export function createMessagePublisher(options: MessagePublisherOptions): MessagePublisher {
  const { bus, tracing, memberHints } = options
  const publisher = createLingerPublisher(bus)
  const marker = createMarker(options)
  const sweeper = startSweeper(options, marker.mark)
  const unanswered = createUnanswered()

  return {
    publish(record) {
      marker.addStored(record)
      const request = currentRequest()
      const hinting = tracing.start('publish hint', { kind: 'producer' })
      const publishing = tracing.start('publish event', { kind: 'producer' })
      const { traceparent } = hinting
      const told = record.isHidden ? [record.senderId] : record.memberIds
      const event: ServerEvent = { type: 'new_message', data: toMessage(record) }
      const headers = carryingHeaders(request && { ...request, traceparent: publishing.traceparent })
      unanswered.begin()
      void memberHints.tell(told, event, request && { ...request, traceparent }).then((taken) => {
        unanswered.end()
        hinting.end()
        const outgoing = {
          ...toEvent(record),
          headers: taken ? { ...headers, [hintedHeader]: '1' } : headers,
        }
        publisher.enqueue(outgoing, () => {
          publishing.end()
          marker.addAcknowledged(record._id)
        })
      })
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

/** Moves conversations up for stored messages, and marks those that Kafka has acknowledged as published. */
function createMarker({ messages, conversations, logger }: MessagePublisherOptions) {
  let stored: StoredMessage[] = []
  let acknowledged: string[] = []
  let marking: Promise<void> = Promise.resolve()

  /** Moves up first and marks second: what a crash leaves in between is swept, and moves its conversation up, again. */
  const mark = async (keys: readonly string[], movedBy: readonly StoredMessage[]): Promise<void> => {
    await conversations.moveUp(movedBy)
    if (keys.length > 0) await messages.markPublished(keys)
  }

  const flush = (): Promise<void> => {
    const [keys, movedBy] = [acknowledged, stored]
    acknowledged = []
    stored = []
    marking = marking
      .then(() => mark(keys, movedBy))
      .catch((error: unknown) => {
        stored.unshift(...movedBy)
        flushSoon()
        logger.warn(
          { err: error, records: keys.length },
          'messages could not be marked as published; the sweep will publish them again',
        )
      })
    return marking
  }
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const flushSoon = () => {
    if (isStopped) return
    timer ??= setTimeout(() => {
      timer = undefined
      void flush()
    }, markEveryMs)
  }

  return {
    mark,
    addStored({ conversationId, seq, createdAt, isHidden }: MessageRecord) {
      stored.push({ conversationId, seq, createdAt, ...(isHidden ? { isHidden } : {}) })
      flushSoon()
    },
    addAcknowledged(key: string) {
      acknowledged.push(key)
      flushSoon()
    },
    flush,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** Sweeps every two seconds. */
function startSweeper(
  { bus, messages, sweepLease, clock, logger }: MessagePublisherOptions,
  mark: (keys: readonly string[], movedBy: readonly StoredMessage[]) => Promise<void>,
) {
  const sweep = async (now: Date): Promise<number> => {
    const limit = new Date(now.getTime() - sweepOlderThanMs)
    let swept = 0
    const publishLeft = async (isHeld: () => boolean) => {
      for (;;) {
        const left = await messages.unpublishedBefore(limit, sweepBatch)
        if (left.length > 0) {
          await bus.publish(left.map(toEvent))
          await mark(
            left.map(({ _id }) => _id),
            left,
          )
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
