import type { CollectedSpan } from '../kit/trace-collector.ts'

/** What a message meets on its way, in this order. */
export const hopNames = [
  'gateway: the whole request',
  'gateway: until the service has it',
  'messaging: the whole request',
  'messaging: until the insert is asked for',
  'messaging: wait for the group commit before',
  'messaging: group commit',
  'messaging: PUBLISH until Redis answers',
  'Redis: from PUBLISH to realtime',
  'messaging: linger and Kafka’s acknowledgement',
  'Kafka: from the queue to realtime’s consumer',
  'realtime: emit',
  'from the gateway to the sockets',
] as const

export type HopName = (typeof hopNames)[number]

/** Milliseconds by hop, of one trace; null when one of its spans is missing. */
export function hopsOf(trace: readonly CollectedSpan[]): Record<HopName, number> | null {
  const find = (service: string, name: string) =>
    trace.find((span) => span.service === service && span.name === name)
  const gateway = find('gateway', 'POST /api/messages')
  const messaging = find('messaging', 'POST /api/messages')
  const waiting = find('messaging', 'wait for group commit')
  const commit = find('messaging', 'group commit')
  const hint = find('messaging', 'publish hint')
  const event = find('messaging', 'publish event')
  const emit = find('realtime', 'emit to sockets')
  const consume = find('realtime', 'consume messaging.message-sent.v1')
  if (!gateway || !messaging || !waiting || !commit || !hint || !event || !emit || !consume) return null
  const between = (from: CollectedSpan, to: CollectedSpan) => to.startedAtMs - from.startedAtMs
  const byHint = emit.parentSpanId === hint.spanId
  return {
    'gateway: the whole request': gateway.durationMs,
    'gateway: until the service has it': between(gateway, messaging),
    'messaging: the whole request': messaging.durationMs,
    'messaging: until the insert is asked for': between(messaging, waiting),
    'messaging: wait for the group commit before': waiting.durationMs,
    'messaging: group commit': commit.durationMs,
    'messaging: PUBLISH until Redis answers': hint.durationMs,
    'Redis: from PUBLISH to realtime': byHint ? between(hint, emit) : NaN,
    'messaging: linger and Kafka’s acknowledgement': event.durationMs,
    'Kafka: from the queue to realtime’s consumer': between(event, consume),
    'realtime: emit': emit.durationMs,
    'from the gateway to the sockets': between(gateway, emit) + emit.durationMs,
  }
}
