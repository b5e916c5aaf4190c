import type { Bus } from '@sumlock/bus/bus'
import { hintedHeader } from '@sumlock/bus/envelope'
import { createLingerPublisher } from '@sumlock/bus/linger-publisher'
import type { ServerEvent } from '@sumlock/contracts/socket'
import { withoutContent } from '@sumlock/contracts/without-content'
import type { Clock } from '@sumlock/service-kit/clock'
import type { Lease } from '@sumlock/service-kit/lease'
import type { Logger } from '@sumlock/service-kit/logger'
import { carryingHeaders, currentRequest } from '@sumlock/service-kit/request-context'
import type { Tracing } from '@sumlock/service-kit/tracing'
import { shownTo } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import type { MemberActivity } from '../stores/member-activity.ts'
import type { MessageStore } from '../stores/message-store.ts'
import type { MemberHints } from './member-hints.ts'
import { startMessageSweep } from './message-sweep.ts'
import { createPublishedMarker } from './published-marker.ts'
import { createRowMover } from './row-mover.ts'
import { toSentEvent, toSentMessage } from './sent-event.ts'

export interface MessagePublisherOptions {
  bus: Bus
  memberHints: MemberHints
  messages: MessageStore
  /** Only the process that holds this lease publishes messages that other processes left unpublished. */
  sweepLease: Lease
  memberActivity: MemberActivity
  clock: Clock
  logger: Logger
  tracing: Tracing
}

export interface MessagePublisher {
  /**
   * Sends hints by Redis now and publishes to Kafka soon. Resolves once the rows of the members were updated for the
   * message, or were left to the sweep.
   */
  publish(record: MessageRecord): Promise<void>
  /**
   * Updates the members' rows for a message that was stored earlier, by a process that may have died before it updated
   * them.
   */
  moveRows(record: MessageRecord): Promise<void>
  /**
   * Updates the members' rows for messages that a crash or an outage left unpublished for more than three seconds, and
   * publishes these messages. Resolves with their number.
   */
  sweep(now: Date): Promise<number>
  close(): Promise<void>
}

/**
 * Publishes stored messages. A failure delays delivery and loses nothing, because the sweep publishes the messages again.
 */
export function createMessagePublisher(options: MessagePublisherOptions): MessagePublisher {
  const { bus, tracing, memberHints, memberActivity, logger, clock } = options
  const publisher = createLingerPublisher(bus)
  const marker = createPublishedMarker(options)
  const sweeper = startMessageSweep(options)
  const mover = createRowMover((records) => memberActivity.move(records), logger)
  const unanswered = createUnanswered()

  return {
    async publish(record) {
      const request = currentRequest()
      const hinting = tracing.start('publish hint', { kind: 'producer' })
      const publishing = tracing.start('publish event', { kind: 'producer' })
      const { traceparent } = hinting
      const headers = carryingHeaders(request && { ...request, traceparent: publishing.traceparent })
      const moving = mover.move(record)
      unanswered.begin()
      const cause = request && { ...request, traceparent }
      const tells = eventsOf(record, clock.now()).map(([ids, event]) => memberHints.tell(ids, event, cause))
      void Promise.all(tells).then((answers) => {
        const taken = answers.every(Boolean)
        unanswered.end()
        hinting.end()
        const outgoing = {
          ...toSentEvent(record, clock.now()),
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

/** The sender of a message that opens once is told of it without its content. */
function eventsOf(record: MessageRecord, now: Date): [readonly string[], ServerEvent][] {
  const data = toSentMessage(record, now)
  const told = shownTo(record)
  if (!record.isOnce) return [[told, { type: 'new_message', data }]]
  return [
    [[record.senderId], { type: 'new_message', data: withoutContent(data) }],
    [told.filter((id) => id !== record.senderId), { type: 'new_message', data }],
  ]
}

/** Counts the hints that Redis has not answered yet, so that `close` can wait for them. */
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
