import { z } from 'zod'
import { timestamp } from './primitives.ts'
import type { TopicName } from './topics.ts'

/** Events are sent as CloudEvents 1.0 in structured JSON mode. */
export const envelope = z.object({
  specversion: z.literal('1.0'),
  id: z.string(),
  source: z.string(),
  type: z.string(),
  time: timestamp,
  subject: z.string(),
  datacontenttype: z.literal('application/json'),
  traceparent: z.string().optional(),
  data: z.unknown(),
})

export interface EventContract<T extends z.ZodType = z.ZodType> {
  /** The form is `domain.noun-verbed.vN`. Within a version only optional fields may be added. */
  readonly type: string
  readonly topic: TopicName
  /** Returns the Kafka key. Events with the same key stay in order. */
  readonly key: (data: z.output<T>) => string
  readonly data: T
  /** States the meaning of the event and the guarantees for consumers. */
  readonly summary: string
}

export type EventData<E> = E extends EventContract<infer T> ? z.output<T> : never
export type Envelope<E> = Omit<z.infer<typeof envelope>, 'data'> & { data: EventData<E> }

/** Returns the contract unchanged, with the exact type of its data. */
export const defineEvent = <T extends z.ZodType>(event: EventContract<T>): EventContract<T> => event
