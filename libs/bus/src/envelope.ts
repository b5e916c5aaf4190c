import { randomUUID } from 'node:crypto'
import { envelope } from '@sumlock/contracts/event'
import type { Envelope, EventContract } from '@sumlock/contracts/event'
import { AppError } from '@sumlock/service-kit/app-error'
import type { z } from 'zod'
import type { OutgoingRecord } from './bus.ts'

export interface EventRecord extends OutgoingRecord {
  key: string
  value: string
}

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
): EventRecord {
  return toRecordOfJson(event, event.key(data), JSON.stringify(data), options)
}

/** The same for data that was serialised already; `key` must be what the event's own key function would give. */
export function toRecordOfJson(
  event: EventContract,
  key: string,
  dataJson: string,
  { source, time, id = randomUUID(), traceparent }: EnvelopeOptions,
): EventRecord {
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

/** The envelope without its data checked; throws `invalid` when it is none. */
export function parseEnvelope(raw: string): z.infer<typeof envelope> {
  const parsed = envelope.safeParse(parseJson(raw))
  if (!parsed.success) throw misfit('This is no event envelope', parsed.error)
  return parsed.data
}

/** Checks the data against the event's contract; throws `invalid` when it does not fit. */
export function withData<E extends EventContract>(event: E, parsed: z.infer<typeof envelope>): Envelope<E> {
  const data = event.data.safeParse(parsed.data)
  if (!data.success) throw misfit(`This is no ${event.type}`, data.error)
  return { ...parsed, data: data.data } as Envelope<E>
}

/** The parser's own message would carry a piece of the text into logs and headers. */
function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    throw new AppError('invalid', 'invalid_json', 'This is no JSON.')
  }
}

function misfit(what: string, { issues }: z.ZodError): AppError {
  const places = issues.map(({ path, code }) => `${path.join('.') || 'the whole'} (${code})`)
  return new AppError('invalid', 'invalid_request', `${what}: ${places.join(', ')}.`)
}
