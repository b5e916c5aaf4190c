import { deadLetterTopic } from '@sumlock/contracts/topics'
import type { TopicName } from '@sumlock/contracts/topics'
import type { KafkaMessage } from 'kafkajs'
import type { Bus } from './bus.ts'
import { causeOf, ownHeaders } from './dead-letter.ts'
import type { Cause } from './dead-letter.ts'
import { readRecord } from './read-record.ts'
import { readTopic } from './read-topic.ts'

export interface DeadLetter {
  /** The letter has this position on the dead-letter topic: `partition:offset`. */
  at: string
  /** The record came from this topic, which is named without the namespace. */
  topic: TopicName
  key: Buffer | null
  value: Buffer | null
  headers: Readonly<Record<string, string | Buffer>>
  cause: Cause | undefined
  /** The letter was last replayed at this time (ISO 8601). */
  replayedAt: string | undefined
}

export interface DeadLetterBox {
  /** Returns the dead letters of a topic in the order of partition and offset. */
  read(topic: TopicName): Promise<DeadLetter[]>
  /**
   * Publishes the original record on its topic again. The record is read from that topic and not from the letter, because a
   * service that may write dead letters must not be able to write events. All groups consume the record again, which does
   * no harm, because every effect is idempotent. A note on the dead-letter topic then says that the letter was replayed.
   */
  replay(letter: DeadLetter): Promise<Replay>
}

/** `gone` means that the topic keeps no record at the letter's position, `differs` that another record is there. */
export type Replay = 'published' | 'gone' | 'differs'

const replayedHeader = 'x-dlq-replayed'

/**
 * Reads and replays the dead letters of a namespace. Replays are noted by records on the dead-letter topic, which need no
 * store of their own and expire with the letters.
 */
export function createDeadLetterBox(bus: Bus): DeadLetterBox {
  return {
    async read(topic) {
      const records = await readTopic(bus, deadLetterTopic(topic))
      const notes = records.flatMap(({ message }) => {
        const at = message.headers?.[replayedHeader]
        return at === undefined ? [] : [[String(at), timeOf(message)] as const]
      })
      const replayedAt = new Map(notes)
      return records
        .filter(({ message }) => message.headers?.[replayedHeader] === undefined)
        .map(({ partition, message }) => {
          const at = `${partition}:${message.offset}`
          const { key, value, headers } = message
          return {
            at,
            topic,
            key,
            value,
            headers: ownHeaders(headers),
            cause: causeOf(headers),
            replayedAt: replayedAt.get(at),
          }
        })
    },
    async replay({ at, topic, key, value, cause }) {
      const { partition = NaN, offset = NaN } = cause ?? {}
      const position = { topic, partition: Number(partition), offset: Number(offset) }
      const original = await readRecord(bus, position)
      if (!original) return 'gone'
      if (!isSame(original.key, key) || !isSame(original.value, value)) return 'differs'
      const headers = ownHeaders(original.headers)
      await bus.publish([{ topic, key: original.key, value: original.value, headers }])
      const note = { topic: deadLetterTopic(topic) as `${TopicName}.dlq`, key, value: null }
      await bus.publish([{ ...note, headers: { [replayedHeader]: at } }])
      return 'published'
    },
  }
}

const isSame = (one: Buffer | null, other: Buffer | null): boolean =>
  one === null || other === null ? one === other : one.equals(other)

const timeOf = ({ timestamp }: KafkaMessage): string => new Date(Number(timestamp)).toISOString()
