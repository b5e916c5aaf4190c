import { deadLetterTopic } from '@sumlock/contracts/topics'
import type { TopicName } from '@sumlock/contracts/topics'
import { toAppError } from '@sumlock/service-kit/app-error'
import type { IHeaders, KafkaMessage } from 'kafkajs'
import type { OutgoingRecord } from './bus.ts'

/** Describes why a record is on a dead-letter topic, and where it came from. */
export interface Cause {
  /** The kind of the AppError is `internal` for a bug and `invalid` for bad input. */
  kind: string
  /** The code of the error (`invalid_json`, `11000`) is empty when the error has none. */
  code: string
  /** Contains the name and the message of the error. */
  error: string
  /** Contains the innermost frames of the error's stack. */
  stack: string
  /** The record came from this topic, which is named without the namespace. */
  topic: string
  partition: string
  offset: string
  /** The record was sent to the dead-letter topic at this time (ISO 8601). */
  time: string
  /** This process, of the consumer group `group`, could not handle the record. */
  service: string
  group: string
}

const prefix = 'x-dlq-'
const names = [
  'kind',
  'code',
  'error',
  'stack',
  'topic',
  'partition',
  'offset',
  'time',
  'service',
  'group',
] as const
const stackFrames = 3
const maxLength = 1000

/** Returns the record for the dead-letter topic. It is the original, byte for byte, with its cause in additional headers. */
export function toDeadLetter(
  message: Pick<KafkaMessage, 'key' | 'value' | 'headers'>,
  error: unknown,
  origin: Omit<Cause, 'kind' | 'code' | 'error' | 'stack'>,
): OutgoingRecord {
  const thrown = error instanceof Error ? error : new Error(String(error))
  const cause: Cause = {
    ...origin,
    kind: toAppError(thrown).kind,
    code: codeOf(thrown),
    error: `${thrown.name}: ${thrown.message}`.slice(0, maxLength),
    stack: headOf(thrown),
  }
  return {
    topic: deadLetterTopic(origin.topic) as `${TopicName}.dlq`,
    key: message.key,
    value: message.value,
    headers: {
      ...ownHeaders(message.headers),
      ...Object.fromEntries(names.map((name) => [prefix + name, cause[name]])),
    },
  }
}

/** Returns the cause in the headers of a dead letter; undefined for any other record. */
export function causeOf(headers: IHeaders | undefined): Cause | undefined {
  if (headers?.[`${prefix}topic`] === undefined) return undefined
  return Object.fromEntries(
    names.map((name) => [name, String(headers[prefix + name] ?? '')]),
  ) as unknown as Cause
}

/** Returns the headers of the original record, without those of its cause. */
export function ownHeaders(headers: IHeaders | undefined): Record<string, string | Buffer> {
  const kept: Record<string, string | Buffer> = {}
  for (const [name, value] of Object.entries(headers ?? {})) {
    const single = Array.isArray(value) ? value[0] : value
    if (single !== undefined && !name.startsWith(prefix)) kept[name] = single
  }
  return kept
}

const codeOf = ({ code }: Error & { code?: unknown }): string =>
  typeof code === 'string' || typeof code === 'number' ? String(code) : ''

/** Returns the innermost frames without the first lines of the stack, which repeat the message. */
const headOf = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, stackFrames)
    .join('\n')
