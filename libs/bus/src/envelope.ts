import { randomUUID } from 'node:crypto'
import { envelope } from '@sumlock/contracts/event'
import type { Envelope, EventContract } from '@sumlock/contracts/event'
import { AppError } from '@sumlock/service-kit/app-error'
import type { z } from 'zod'
import type { OutgoingRecord } from './bus.ts'

/** An event has this header when Redis has already taken the hints that deliver it to sockets. */
export const hintedHeader = 'hinted'

export interface EventRecord extends OutgoingRecord {
  key: string
  value: string
}

export interface EnvelopeOptions {
  /** Names the publishing service. */
  source: string
  time: Date
  /** Identifies the event, so that consumers can ignore duplicates. A random id is used when this is absent. */
  id?: string
  traceparent?: string
}

/** Wraps data as a CloudEvents 1.0 envelope, ready for `Bus.publish`. */
export function toRecord<T extends z.ZodType>(
  event: EventContract<T>,
  data: z.output<T>,
  { source, time, id = randomUUID(), traceparent }: EnvelopeOptions,
): EventRecord {
  const key = event.key(data)
  const value = JSON.stringify({
    specversion: '1.0',
    id,
    source: `/${source}`,
    type: event.type,
    time: time.toISOString(),
    subject: key,
    datacontenttype: 'application/json',
    ...(traceparent ? { traceparent } : {}),
    data,
  })
  return { topic: event.topic, key, value }
}

/** Parses the envelope without checking its data; throws `invalid`. */
export function parseEnvelope(raw: string): z.infer<typeof envelope> {
  const parsed = envelope.safeParse(parseJson(raw))
  if (!parsed.success) throw misfit('The record is not an event envelope', parsed.error)
  return parsed.data
}

/** Checks the data against the event's contract; throws `invalid`. */
export function withData<E extends EventContract>(event: E, parsed: z.infer<typeof envelope>): Envelope<E> {
  const data = event.data.safeParse(parsed.data)
  if (!data.success) throw misfit(`The data is not valid for ${event.type}`, data.error)
  return { ...parsed, data: data.data } as Envelope<E>
}

/** Replaces the parser's message, which would copy a piece of the text into logs and headers. */
function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    throw new AppError('invalid', 'invalid_json', 'The record is not valid JSON.')
  }
}

function misfit(what: string, { issues }: z.ZodError): AppError {
  const faults = issues.map(({ path, code }) => `${path.join('.') || 'the record'} (${code})`)
  return new AppError('invalid', 'invalid_request', `${what}: ${faults.join(', ')}.`)
}
