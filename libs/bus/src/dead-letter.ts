import { deadLetterTopic } from '@sumlock/contracts/topics'
import type { TopicName } from '@sumlock/contracts/topics'
import { toAppError } from '@sumlock/service-kit/app-error'
import type { IHeaders, KafkaMessage } from 'kafkajs'
import type { OutgoingRecord } from './bus.ts'

/** Why a record is on a dead-letter topic, and where it came from. */
export interface Cause {
  /** AppError kind: a bug is `internal`, bad input is `invalid`. */
  kind: string
  /** The code of the error (`invalid_json`, `11000`); empty when it has none. */
  code: string
  /** Name and message of the error. */
  error: string
  /** The innermost frames, where it happened. */
  stack: string
  /** The original topic without the namespace. */
  topic: string
  partition: string
  offset: string
  /** When it was sent to the dead-letter topic, ISO 8601. */
  time: string
  /** The process that could not handle it, and its consumer group. */
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

/** The record, byte for byte, with its cause in additional headers. */
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

/** The cause in the headers of a dead letter; undefined for any other record. */
export function causeOf(headers: IHeaders | undefined): Cause | undefined {
  if (headers?.[`${prefix}topic`] === undefined) return undefined
  return Object.fromEntries(
    names.map((name) => [name, String(headers[prefix + name] ?? '')]),
  ) as unknown as Cause
}

/** The headers of the original record. */
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
