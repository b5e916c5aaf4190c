import { randomUUID } from 'node:crypto'
import { createBus } from '@sumlock/bus/bus'
import type { Bus, BusOptions } from '@sumlock/bus/bus'
import { causeOf } from '@sumlock/bus/dead-letter'
import type { Cause } from '@sumlock/bus/dead-letter'
import { toRecord } from '@sumlock/bus/envelope'
import type { EventRecord } from '@sumlock/bus/envelope'
import { outboxMigration } from '@sumlock/bus/outbox'
import { on } from '@sumlock/bus/handler'
import { subscribe } from '@sumlock/bus/subscribe'
import type { SubscribeOptions, Subscription } from '@sumlock/bus/subscribe'
import { defineEvent } from '@sumlock/contracts/event'
import type { EventData } from '@sumlock/contracts/event'
import { person } from '@sumlock/contracts/internal-routes'
import { deadLetterTopic } from '@sumlock/contracts/topics'
import type { TopicName } from '@sumlock/contracts/topics'
import { createLogger } from '@sumlock/service-kit/logger'
import { connectMongo } from '@sumlock/service-kit/mongo'
import { kafkaAdmin } from '@sumlock/deployment/kafka-users'
import { createTopics } from '@sumlock/deployment/create-topics'
import { createUsers, databaseUrl, removeDatabases, removeTopics } from '@sumlock/deployment/provision'
import type { DatabaseOwner } from '@sumlock/deployment/provision'
import { randomNamespace, testEngines } from '@sumlock/testing/test-engines'
import type { Connection } from 'mongoose'

/** An event that holds its order. */
export const personChanged = defineEvent({
  type: 'auth.user-updated.v1',
  topic: 'auth.users',
  key: (data) => data.userId,
  data: person,
  summary: 'A person has this state.',
})
export type Person = EventData<typeof personChanged>

export interface DeadLetter {
  key: string
  value: string
  cause: Cause | undefined
}

/** A namespace with topics and databases, and one process that talks to it. */
export interface Bed {
  readonly namespace: string
  readonly bus: Bus
  /** A further bus, with options of its own. */
  openBus(options: Partial<BusOptions>): Bus
  /** The number of partition assignments so far. */
  joins(): number
  /** The number of consumers in a group. */
  membersOf(group: string): Promise<number>
  /** The database of `owner`, with the outbox's indexes. */
  database(owner: DatabaseOwner): Promise<Connection>
  /** Consumes `auth.users` until it is stopped, at the latest with the bed. */
  consume(
    handle: (person: Person, eventId: string) => Promise<void> | void,
    options?: Partial<SubscribeOptions> & { bus?: Bus },
  ): Subscription
  /** The records of a dead-letter topic, once it has `count`. */
  deadLetters(topic: TopicName, count: number): Promise<DeadLetter[]>
  deadLetterCount(topic: TopicName): Promise<number>
  stop(): Promise<void>
}

export interface BedOptions {
  /** Brokers without users, when they are not the engines' own. */
  kafkaBrokers?: string
}

export async function startBed({ kafkaBrokers }: BedOptions = {}): Promise<Bed> {
  const engines = await testEngines()
  const { secrets } = engines
  const addresses = {
    ...engines.addresses,
    ...(kafkaBrokers ? { kafkaBrokers, kafkaAdminPassword: '' } : {}),
  }
  const namespace = randomNamespace()
  await Promise.all([
    createUsers(addresses, secrets, namespace),
    createTopics(kafkaAdmin(addresses), namespace, { setsRules: addresses.kafkaAdminPassword !== '' }),
  ])
  const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
  const openBus = (options: Partial<BusOptions> = {}) =>
    createBus({ ...kafkaAdmin(addresses), clientId: 'test-1', namespace, logger, ...options })
  const plain = openBus()
  let joins = 0
  const bus: Bus = {
    ...plain,
    consumer(...options) {
      const consumer = plain.consumer(...options)
      consumer.on(consumer.events.GROUP_JOIN, () => void (joins += 1))
      return consumer
    },
  }
  const open: Subscription[] = []
  const connections: Connection[] = []
  return {
    namespace,
    bus,
    openBus,
    joins: () => joins,
    async membersOf(group) {
      const admin = plain.admin()
      await admin.connect()
      try {
        const { groups } = await admin.describeGroups([`${namespace}.${group}`])
        return groups.reduce((sum, { members }) => sum + members.length, 0)
      } finally {
        await admin.disconnect()
      }
    },
    async database(owner) {
      const connection = await connectMongo(databaseUrl(addresses, secrets, namespace, owner), logger)
      connections.push(connection)
      await outboxMigration.up(connection)
      return connection
    },
    consume(handle, { bus: own = bus, ...options } = {}) {
      const handlers = [on(personChanged, async ({ id, data }) => handle(data, id))]
      const onFatal = (error: Error) => {
        throw error
      }
      const subscription = subscribe(own, { group: 'messaging', handlers, onFatal, ...options })
      open.push(subscription)
      return subscription
    },
    deadLetters: (topic, count) => readFromBeginning(bus, deadLetterTopic(topic), count),
    deadLetterCount: (topic) => bus.lag(randomUUID(), [deadLetterTopic(topic) as TopicName]),
    async stop() {
      await Promise.all(open.map((subscription) => subscription.stop()))
      await Promise.all(connections.map((connection) => connection.close()))
      await bus.close()
      await Promise.all([removeDatabases(addresses, namespace), removeTopics(addresses, namespace)])
    },
  }
}

async function readFromBeginning(bus: Bus, topic: string, count: number): Promise<DeadLetter[]> {
  const consumer = bus.consumer({ groupId: `${bus.namespace}.${randomUUID()}`, maxWaitTimeInMs: 50 })
  const found: DeadLetter[] = []
  await consumer.connect()
  await consumer.subscribe({ topic: `${bus.namespace}.${topic}`, fromBeginning: true })
  await new Promise<void>((resolve, reject) => {
    const eachMessage: NonNullable<Parameters<typeof consumer.run>[0]>['eachMessage'] = ({ message }) => {
      const { key, value, headers } = message
      found.push({ key: String(key), value: String(value), cause: causeOf(headers) })
      if (found.length === count) resolve()
      return Promise.resolve()
    }
    consumer.run({ eachMessage }).catch(reject)
  })
  await consumer.disconnect()
  return found
}

/** The n-th state of a person, as an event. */
export const personRecord = (userId: string, version: number, id: string = randomUUID()): EventRecord =>
  toRecord(personChanged, personOf(userId, version), { source: 'auth', time: new Date(), id })

export const personOf = (userId: string, version: number): Person => ({
  userId,
  username: `${userId}.${version}`,
  userCode: 'ABCDEFGH1',
  version,
})
