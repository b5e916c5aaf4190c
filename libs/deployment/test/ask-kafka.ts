import { randomUUID } from 'node:crypto'
import type { KafkaConnection } from '@sumlock/service-kit/kafka-settings'
import kafkajs, { Kafka, logLevel } from 'kafkajs'
import type { Admin } from 'kafkajs'

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ConfigResourceTypes, ResourcePatternTypes } =
  kafkajs

/** A user of the brokers that tries all rights. Topics and groups are named with the namespace. */
interface KafkaUser {
  /** Returns the topics in which a record can be published. */
  writable(topics: readonly string[]): Promise<string[]>
  /** Returns the topics whose records can be fetched. */
  readable(topics: readonly string[]): Promise<string[]>
  /** Returns the consumer groups that it may use; each needs a coordinator. */
  usable(groups: readonly string[]): Promise<string[]>
  /** Returns the acts of an administrator that succeed. */
  administered(topics: readonly string[]): Promise<string[]>
  close(): Promise<void>
}

interface NestedError extends Error {
  errors?: NestedError[]
  partitions?: { error?: Error }[]
}

const textOf = (error: NestedError): string =>
  [
    error.message,
    ...(error.errors ?? []).map(textOf),
    ...(error.partitions ?? []).map((partition) => partition.error?.message),
  ].join(' ')

/** The client gives no reason when it finds no coordinator. */
const noCoordinator = 'Failed to find group coordinator'

/** False when the brokers refuse for want of a right; rejects for any other reason. */
const isAllowed = (act: Promise<unknown>, refusal = /authorization failed/i): Promise<boolean> =>
  act.then(
    () => true,
    (error: NestedError) => {
      if (refusal.test(textOf(error))) return false
      throw error
    },
  )

/** The topics are tried one after the other, because a client requests all its topics at once and is refused all for one. */
async function those(
  all: readonly string[],
  act: (one: string) => Promise<unknown>,
  refusal?: RegExp,
): Promise<string[]> {
  const allowed = []
  for (const one of all) if (await isAllowed(act(one), refusal)) allowed.push(one)
  return allowed
}

/** The first part of the names of groups that any user of a namespace may use while a topic is tried. */
const probingGroups = (namespace: string): string => `${namespace}.probe-`

/** Lets these users read by groups of any name, so that only their rights to topics decide. */
export const allowProbing = (admin: Admin, namespace: string, users: readonly string[]): Promise<boolean> =>
  admin.createAcls({
    acl: users.map((user) => ({
      principal: `User:${user}`,
      host: '*',
      resourceType: AclResourceTypes.GROUP,
      resourceName: probingGroups(namespace),
      resourcePatternType: ResourcePatternTypes.PREFIXED,
      operation: AclOperationTypes.READ,
      permissionType: AclPermissionTypes.ALLOW,
    })),
  })

/** Connects as a user; rejects when the brokers do not let it in. */
export async function askKafka(connection: KafkaConnection, namespace: string): Promise<KafkaUser> {
  const kafka = new Kafka({ ...connection, logLevel: logLevel.NOTHING, retry: { retries: 0 } })
  const admin = kafka.admin()
  await admin.connect()
  // Every user may send this request, which is the first after the handshake.
  await admin.listGroups()
  const producer = kafka.producer({ allowAutoTopicCreation: false })
  await producer.connect()
  return {
    writable: (topics) =>
      those(topics, (topic) => producer.send({ topic, messages: [{ value: 'x' }], acks: -1 })),
    async readable(topics) {
      // Each call has a client of its own.
      const fetched = topics.map((topic) => isAllowed(fetchOne(kafka, probingGroups(namespace), topic)))
      const answers = await Promise.all(fetched)
      return topics.filter((_, index) => answers[index])
    },
    usable: (groups) => those(groups, (group) => admin.describeGroups([group]), new RegExp(noCoordinator)),
    administered: (topics) => administered(admin, topics, namespace),
    async close() {
      await producer.disconnect()
      await admin.disconnect()
    },
  }
}

async function fetchOne(kafka: Kafka, groups: string, topic: string): Promise<void> {
  const groupId = groups + randomUUID()
  const consumer = kafka.consumer({
    groupId,
    allowAutoTopicCreation: false,
    maxWaitTimeInMs: 50,
    retry: { retries: 0, restartOnFailure: () => Promise.resolve(false) },
  })
  await consumer.connect()
  try {
    await consumer.subscribe({ topic, fromBeginning: true })
    await new Promise<void>((resolve, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error))
      consumer.run({ eachMessage: () => Promise.resolve(resolve()) }).catch(reject)
    })
  } finally {
    await consumer.disconnect()
  }
}

async function administered(admin: Admin, topics: readonly string[], namespace: string): Promise<string[]> {
  const rule = {
    resourceType: AclResourceTypes.TOPIC,
    resourceName: `${namespace}.own`,
    resourcePatternType: ResourcePatternTypes.LITERAL,
    operation: AclOperationTypes.ALL,
    permissionType: AclPermissionTypes.ALLOW,
  }
  const acts: Record<string, () => Promise<unknown>> = {
    'create a topic': () =>
      admin.createTopics({ waitForLeaders: false, topics: [{ topic: `${namespace}.own` }] }),
    'give itself a right': () =>
      admin.createAcls({ acl: [{ ...rule, principal: 'User:sumlock_auth', host: '*' }] }),
    'list rights': () => admin.describeAcls({ ...rule, resourceType: AclResourceTypes.ANY }),
    'take rights away': () => admin.deleteAcls({ filters: [rule] }),
  }
  for (const topic of topics) {
    const configEntries = [{ name: 'retention.ms', value: '1000' }]
    const resources = [{ type: ConfigResourceTypes.TOPIC, name: topic, configEntries }]
    acts[`delete ${topic}`] = () => admin.deleteTopics({ topics: [topic] })
    acts[`empty ${topic}`] = () =>
      admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '-1' }] })
    acts[`configure ${topic}`] = () => admin.alterConfigs({ validateOnly: true, resources })
    acts[`enlarge ${topic}`] = () =>
      admin.createPartitions({ validateOnly: true, topicPartitions: [{ topic, count: 20 }] })
  }
  // The client hides why records could not be deleted, where it may not even see the topic.
  return those(
    Object.keys(acts),
    (name) => acts[name]!(),
    /authorization failed|Error while deleting records/i,
  )
}
