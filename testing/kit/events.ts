import { randomUUID } from 'node:crypto'
import { createBus } from '@sumlock/bus/bus'
import type { Bus } from '@sumlock/bus/bus'
import { toRecord } from '@sumlock/bus/envelope'
import { readTopic } from '@sumlock/bus/read-topic'
import type { EventContract } from '@sumlock/contracts/event'
import { kafkaAdmin } from '@sumlock/deployment/kafka-users'
import type { Message } from '@sumlock/contracts/messaging-routes'
import type { TopicName } from '@sumlock/contracts/topics'
import pino from 'pino'
import type { z } from 'zod'
import type { RunningStack } from './shared-stack.ts'

async function withBus<T>({ addresses, namespace }: RunningStack, use: (bus: Bus) => Promise<T>): Promise<T> {
  const logger = pino({ level: 'silent' })
  const bus = createBus({ ...kafkaAdmin(addresses), clientId: `reader-${randomUUID()}`, namespace, logger })
  try {
    return await use(bus)
  } finally {
    await bus.close()
  }
}

const groups: Readonly<Record<string, readonly TopicName[]>> = {
  messaging: ['auth.users', 'billing.subscriptions'],
  notify: ['auth.notices', 'auth.users'],
  billing: ['auth.users'],
}

/** Counts the events of a topic that a consumer group has not handled yet. */
export const untakenBy = (stack: RunningStack, group: string, topic: TopicName): Promise<number> =>
  withBus(stack, (bus) => bus.lag(group, [topic]))

/** Counts the events that have not been handled yet by the consumer groups of services with a database. */
export const untakenEvents = (stack: RunningStack): Promise<number> =>
  withBus(stack, async (bus) => {
    let sum = 0
    for (const [group, topics] of Object.entries(groups)) sum += await bus.lag(group, topics)
    return sum
  })

/** Publishes an event as if the service `source` had published it. */
export const forgeEvent = <T extends z.ZodType>(
  stack: RunningStack,
  event: EventContract<T>,
  data: z.output<T>,
  source: string,
): Promise<void> =>
  withBus(stack, (bus) => bus.publish([toRecord(event, data, { source, time: new Date() })]))

/** Returns the values of all records in a topic. */
export const publishedIn = (stack: RunningStack, topic: string): Promise<string[]> =>
  withBus(stack, async (bus) => (await readTopic(bus, topic)).map(({ message }) => String(message.value)))

/** Counts the events for each message id in the topic of messages. */
export const publishedCounts = (stack: RunningStack): Promise<Map<string, number>> =>
  withBus(stack, async (bus) => {
    const counts = new Map<string, number>()
    for (const { message } of await readTopic(bus, 'messaging.messages')) {
      const { data } = JSON.parse(String(message.value)) as { data: { message: Message } }
      counts.set(data.message.id, (counts.get(data.message.id) ?? 0) + 1)
    }
    return counts
  })
