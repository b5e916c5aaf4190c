import { deadLetterTopic } from '@sumlock/contracts/topics'
import type { TopicName } from '@sumlock/contracts/topics'
import type { KafkaMessage } from 'kafkajs'
import type { Bus } from './bus.ts'
import { causeOf, ownHeaders } from './dead-letter.ts'
import type { Cause } from './dead-letter.ts'
import { readTopic } from './read-topic.ts'

export interface DeadLetter {
  /** Where it lies on the dead-letter topic: `partition:offset`. */
  at: string
  /** The topic it came from, without the namespace. */
  topic: TopicName
  key: Buffer | null
  value: Buffer | null
  headers: Readonly<Record<string, string | Buffer>>
  cause: Cause | undefined
  /** When it was last said again, ISO 8601. */
  replayedAt: string | undefined
}

export interface DeadLetterBox {
  /** What lies aside of a topic, oldest first. */
  read(topic: TopicName): Promise<DeadLetter[]>
  /**
   * Says it again where it came from, with its key and its bytes, so with its event id: who had its effect already does
   * nothing. Every group of the topic hears it. Then notes beside it that it was said again.
   */
  replay(letter: DeadLetter): Promise<void>
}

const replayedHeader = 'x-dlq-replayed'

/**
 * The dead letters of a namespace. A note that one was replayed is a record of the same topic: it needs no store of its
 * own and goes when the letters go.
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
          const [own, cause] = [ownHeaders(headers), causeOf(headers)]
          return { at, topic, key, value, headers: own, cause, replayedAt: replayedAt.get(at) }
        })
    },
    async replay({ at, topic, key, value, headers }) {
      await bus.publish([{ topic, key, value, headers }])
      const note = { topic: deadLetterTopic(topic) as `${TopicName}.dlq`, key, value: null }
      await bus.publish([{ ...note, headers: { [replayedHeader]: at } }])
    },
  }
}

const timeOf = ({ timestamp }: KafkaMessage): string => new Date(Number(timestamp)).toISOString()
