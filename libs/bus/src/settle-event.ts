import { toAppError } from '@sumlock/service-kit/app-error'
import { carriedRequest, runFor } from '@sumlock/service-kit/request-context'
import { noTracing } from '@sumlock/service-kit/tracing'
import type { Tracing } from '@sumlock/service-kit/tracing'
import type { KafkaMessage } from 'kafkajs'
import type { Bus } from './bus.ts'
import type { ConsumerMetrics } from './consumer-metrics.ts'
import { toDeadLetter } from './dead-letter.ts'
import { hintedHeader, parseEnvelope, withData } from './envelope.ts'
import type { Handler } from './handler.ts'
import { withoutNamespace } from './topic-name.ts'

export interface SettlerOptions {
  group: string
  handlers: readonly Handler[]
  skipsHinted: boolean
  skipsOlderThanMs: number
  counter?: ConsumerMetrics['deadLetters'] | undefined
  tracing?: Tracing | undefined
}

/** Resolves once the event was handled or sent to the dead-letter topic; rejects when it has to be retried. */
export type Settle = (topic: string, partition: number, message: KafkaMessage) => Promise<void>

export function createSettler(
  bus: Bus,
  { group, handlers, skipsHinted, skipsOlderThanMs, counter, tracing = noTracing }: SettlerOptions,
): Settle {
  const byType = new Map(handlers.map((handler) => [handler.event.type, handler]))

  const handle = async (message: KafkaMessage): Promise<void> => {
    const parsed = parseEnvelope(message.value?.toString() ?? '')
    const handler = byType.get(parsed.type)
    if (!handler) return
    const envelope = withData(handler.event, parsed)
    const request = carriedRequest(message.headers)
    const span = tracing.start(`consume ${parsed.type}`, { kind: 'consumer', parent: request?.traceparent })
    let failed = true
    try {
      await runFor(request && { ...request, traceparent: span.traceparent }, async () => {
        await handler.handle(envelope as never)
        bus.logger.debug({ type: parsed.type, eventId: parsed.id }, 'event handled')
      })
      failed = false
    } finally {
      span.end({ failed })
    }
  }

  const deadLetter = async (topic: string, partition: number, message: KafkaMessage, error: unknown) => {
    const { offset } = message
    const shortName = withoutNamespace(topic, bus.namespace)
    const time = bus.clock.now().toISOString()
    const origin = { topic: shortName, partition: String(partition), offset, time }
    await bus.publish([toDeadLetter(message, error, { ...origin, service: bus.clientId, group })])
    counter?.inc({ topic: shortName })
    bus.logger.error(
      { err: error, topic, partition, offset },
      'event could not be handled and was sent to its dead-letter topic',
    )
  }

  return async (topic, partition, message) => {
    if (skipsHinted && message.headers?.[hintedHeader]) return
    // A record has the machine time of its publisher, so the machine's clock measures its age. A test may move the service's
    // clock.
    if (Date.now() - Number(message.timestamp) > skipsOlderThanMs) return
    try {
      await handle(message)
    } catch (error) {
      // guard: retry-until-available
      if (toAppError(error).kind === 'unavailable') throw error
      // guard: dead-letter
      await deadLetter(topic, partition, message, error)
    }
  }
}
