import { randomUUID } from 'node:crypto'
import { envelope } from '@sumlock/contracts/event'
import type { Envelope, EventContract } from '@sumlock/contracts/event'
import type { z } from 'zod'
import type { OutgoingRecord } from './bus.ts'

export interface EnvelopeOptions {
  /** Name of the service that says it. */
  source: string
  time: Date
  /** What the inbox remembers; random when absent. */
  id?: string
  traceparent?: string
}

/** Wraps data as a CloudEvents 1.0 envelope, ready for `Bus.publish`. */
export function toRecord<T extends z.ZodType>(
  event: EventContract<T>,
  data: z.output<T>,
  options: EnvelopeOptions,
): OutgoingRecord {
  return toRecordOfJson(event, event.key(data), JSON.stringify(data), options)
}

/** The same for data that was serialised already; `key` must be what the event's own key function would give. */
export function toRecordOfJson(
  event: EventContract,
  key: string,
  dataJson: string,
  { source, time, id = randomUUID(), traceparent }: EnvelopeOptions,
): OutgoingRecord {
  const head = JSON.stringify({
    specversion: '1.0',
    id,
    source: `/${source}`,
    type: event.type,
    time: time.toISOString(),
    subject: key,
    datacontenttype: 'application/json',
    ...(traceparent ? { traceparent } : {}),
  })
  return { topic: event.topic, key, value: `${head.slice(0, -1)},"data":${dataJson}}` }
}

/** The envelope without its data checked; throws when it is none. */
export const parseEnvelope = (raw: string) => envelope.parse(JSON.parse(raw))

/** Checks the data against the event's contract; throws when it does not fit. */
export function withData<E extends EventContract>(event: E, parsed: z.infer<typeof envelope>): Envelope<E> {
  return { ...parsed, data: event.data.parse(parsed.data) } as Envelope<E>
}
