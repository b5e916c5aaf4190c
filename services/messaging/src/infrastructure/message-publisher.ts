import type { Bus } from '@sumlock/bus/bus'
import { toRecordOfJson } from '@sumlock/bus/envelope'
import { createLingerPublisher } from '@sumlock/bus/linger-publisher'
import { messageSent } from '@sumlock/contracts/messaging-events'
import { messageHint, redisChannel } from '@sumlock/contracts/redis-channels'
import type { Clock } from '@sumlock/service-kit/clock'
import type { Logger } from '@sumlock/service-kit/logger'
import { carryingHeaders, currentRequest } from '@sumlock/service-kit/request-context'
import type { Tracing } from '@sumlock/service-kit/tracing'
import { toMessage } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import type { ConversationStore } from '../stores/conversation-store.ts'
import type { MessageStore } from '../stores/message-store.ts'

const markEveryMs = 250
const sweepEveryMs = 1000
const sweepOlderThanMs = 3000
const sweepBatch = 500

export interface MessagePublisherOptions {
  bus: Bus
  /** Resolves once Redis has accepted or refused the hint. */
  publishHint: (channel: string, text: string) => Promise<void>
  namespace: string
  messages: MessageStore
  conversations: ConversationStore
  clock: Clock
  logger: Logger
  tracing: Tracing
}

export interface MessagePublisher {
  /** Publishes to Redis now and to Kafka within some milliseconds; returns the message as JSON, serialised once for both. */
  publish(record: MessageRecord): string
  /** Publishes messages that a crash or an outage left unpublished for more than three seconds; resolves with their number. */
  sweep(now: Date): Promise<number>
  close(): Promise<void>
}

/** Publishes stored messages. A failure delays delivery and loses nothing: the sweep publishes again. */
export function createMessagePublisher(options: MessagePublisherOptions): MessagePublisher {
  const { bus, tracing } = options
  const channel = redisChannel(options.namespace, messageHint.channel)
  const publisher = createLingerPublisher(bus)
  const marker = createMarker(options)
  const sweeper = startSweeper(options, marker.mark)

  return {
    publish(record) {
      const json = JSON.stringify(toMessage(record))
      const { data, event } = toEvent(record, json)
      const request = currentRequest()
      const hinting = tracing.start('publish hint', { kind: 'producer' })
      const publishing = tracing.start('publish event', { kind: 'producer' })
      const { traceparent } = hinting
      const from = request ? `,"request":${JSON.stringify({ ...request, traceparent })}` : ''
      void options.publishHint(channel, `${data.slice(0, -1)}${from}}`).then(() => hinting.end())
      const headers = carryingHeaders(request && { ...request, traceparent: publishing.traceparent })
      publisher.enqueue({ ...event, headers }, () => {
        publishing.end()
        marker.add(record)
      })
      return json
    },
    sweep: sweeper.sweep,
    async close() {
      marker.stop()
      await sweeper.stop()
      await publisher.flush()
      await marker.flush()
    },
  }
}

function toEvent(record: MessageRecord, json: string) {
  const hidden = record.isHidden ? ',"isHidden":true' : ''
  const data = `{"message":${json},"memberIds":${JSON.stringify(record.memberIds)}${hidden}}`
  const event = toRecordOfJson(messageSent, record.conversationId, data, {
    source: 'messaging',
    time: record.createdAt,
    id: record.messageId,
  })
  return { data, event }
}

/** Marks the messages that Kafka has acknowledged as published, several at a time. */
function createMarker({ messages, conversations, logger }: MessagePublisherOptions) {
  let acknowledged: MessageRecord[] = []
  let marking: Promise<void> = Promise.resolve()

  /** Folds first and marks second, so that the list of conversations finds a message in the fold or among the unpublished. */
  const mark = async (records: readonly MessageRecord[]): Promise<void> => {
    if (records.length === 0) return
    const newest = new Map<string, MessageRecord>()
    for (const record of records) {
      // Messages that only their sender is shown are folded apart.
      const key = record.isHidden ? `${record.conversationId} ${record.senderId}` : record.conversationId
      if (record.seq > (newest.get(key)?.seq ?? 0)) newest.set(key, record)
    }
    await conversations.fold([...newest.values()])
    await messages.markPublished(records.map((record) => record._id))
  }

  const flush = (): Promise<void> => {
    const batch = acknowledged
    acknowledged = []
    marking = marking
      .then(() => mark(batch))
      .catch((error: unknown) =>
        logger.warn(
          { err: error, records: batch.length },
          'messages could not be marked as published; the sweep will publish them again',
        ),
      )
    return marking
  }
  const timer = setInterval(() => void flush(), markEveryMs)

  return {
    mark,
    add: (record: MessageRecord) => void acknowledged.push(record),
    flush,
    stop: () => clearInterval(timer),
  }
}

/** Sweeps every second. */
function startSweeper(
  { bus, messages, clock, logger }: MessagePublisherOptions,
  mark: (records: readonly MessageRecord[]) => Promise<void>,
) {
  const sweep = async (now: Date): Promise<number> => {
    const limit = new Date(now.getTime() - sweepOlderThanMs)
    let swept = 0
    for (;;) {
      // guard: message-sweeper
      const left = await messages.unpublishedBefore(limit, sweepBatch)
      if (left.length > 0) {
        await bus.publish(left.map((record) => toEvent(record, JSON.stringify(toMessage(record))).event))
        await mark(left)
        swept += left.length
      }
      if (left.length < sweepBatch) break
    }
    if (swept > 0) logger.info({ records: swept }, 'message sweep published records')
    return swept
  }

  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= sweep(clock.now())
      .catch((error: unknown) => logger.warn({ err: error }, 'message sweep failed and will run again'))
      .finally(() => (running = undefined))
  }, sweepEveryMs)

  return {
    sweep,
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
