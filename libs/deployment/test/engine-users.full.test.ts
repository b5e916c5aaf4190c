import { redisChannel, redisChannels, redisKeys } from '@sumlock/contracts/redis-channels'
import type { ServiceName } from '@sumlock/contracts/route'
import { deadLetterTopic, topics } from '@sumlock/contracts/topics'
import { randomNamespace, testEngines } from '@sumlock/testing/test-engines'
import { eventually } from '@sumlock/testing/wait'
import { Redis } from 'ioredis'
import { Kafka, logLevel } from 'kafkajs'
import { kafkaAccount, kafkaAdmin, kafkaServices, kafkaUser } from '../src/kafka-users.ts'
import { provision, unprovision } from '../src/provision.ts'
import { redisUrls, redisUsers } from '../src/redis-users.ts'
import { serviceNames } from '../src/service-environment.ts'
import { allowProbing, askKafka } from './ask-kafka.ts'

const namespace = randomNamespace()
let engines: Awaited<ReturnType<typeof testEngines>>
beforeAll(async () => {
  engines = await testEngines()
  await provision(engines.addresses, engines.secrets, namespace)
})
afterAll(() => unprovision(engines.addresses, namespace))

describe('at Kafka', () => {
  const inNamespace = (names: readonly string[]) => names.map((name) => `${namespace}.${name}`)
  const everyTopic = inNamespace(topics.flatMap(({ name }) => [name, deadLetterTopic(name)]))
  const everyGroup = inNamespace([...serviceNames, 'reader'])
  const connectionOf = (username: string, password: string) => ({
    brokers: kafkaAdmin(engines.addresses).brokers,
    sasl: { mechanism: 'plain' as const, username, password },
  })
  const as = (service: ServiceName) => {
    const { KAFKA_USERNAME, KAFKA_PASSWORD } = kafkaAccount(service, engines.secrets)
    return askKafka(connectionOf(KAFKA_USERNAME, KAFKA_PASSWORD), namespace)
  }
  /** The table is written by hand, independent of the code that derives the rules. */
  const given = (service: ServiceName) => {
    const of = (side: 'readers' | 'writers') =>
      topics.filter((topic) => topic[side].some((name) => name === service)).map(({ name }) => name)
    const reads = of('readers')
    return {
      write: inNamespace([...of('writers'), ...reads.map(deadLetterTopic)]).sort(),
      read: inNamespace(reads).sort(),
      groups: inNamespace(reads.length > 0 ? [service] : []),
    }
  }

  beforeAll(async () => {
    const kafka = new Kafka({ ...kafkaAdmin(engines.addresses), logLevel: logLevel.NOTHING })
    const [admin, producer] = [kafka.admin(), kafka.producer({ allowAutoTopicCreation: false })]
    await admin.connect()
    await producer.connect()
    await allowProbing(admin, namespace, kafkaServices.map(kafkaUser))
    for (const topic of everyTopic) await producer.send({ topic, messages: [{ value: 'x' }] })
    // The first group makes the brokers create the topic of all groups.
    await eventually(async () => {
      await admin.listGroups()
      await admin.describeGroups(everyGroup)
    })
    await producer.disconnect()
    await admin.disconnect()
  })

  it.each(kafkaServices)(
    '%s writes and reads the topics of the table, dead letters included, and no other',
    async (service) => {
      const user = await as(service)
      try {
        expect((await user.writable(everyTopic)).sort()).toEqual(given(service).write)
        expect((await user.readable(everyTopic)).sort()).toEqual(given(service).read)
      } finally {
        await user.close()
      }
    },
  )

  it.each(kafkaServices)('%s uses its own consumer group alone, and administers nothing', async (service) => {
    const user = await as(service)
    try {
      expect(await user.usable(everyGroup)).toEqual(given(service).groups)
      expect(await user.administered(everyTopic)).toEqual([])
    } finally {
      await user.close()
    }
  })

  it('nobody comes in without a user or with a wrong password', async () => {
    const { brokers } = kafkaAdmin(engines.addresses)
    await expect(askKafka({ brokers }, namespace)).rejects.toThrow()
    await expect(askKafka(connectionOf(kafkaUser('auth'), 'wrong'), namespace)).rejects.toThrow(
      'Authentication failed',
    )
  })
})

describe('at Redis', () => {
  const places = redisChannels.map((channel) => ({
    ...channel,
    channel: redisChannel(namespace, channel.pattern),
    // The pattern matches this name.
    one: redisChannel(namespace, channel.pattern.replace('*', 'x')),
  }))
  const keys = redisKeys.map((key) => ({
    ...key,
    one: redisChannel(namespace, key.pattern.replace('*', 'x')),
  }))
  const as = (service: ServiceName, setting: 'REDIS_URL' | 'REDIS_PUBLISH_URL') => {
    const urls = redisUrls(engines.addresses.redisUrl, engines.secrets, namespace, service)
    return new Redis(urls[setting] ?? '', { disableClientInfo: true })
  }
  const isAllowed = (answer: Promise<unknown>) =>
    answer.then(
      () => true,
      (error: Error) => {
        if (error.message.startsWith('NOPERM')) return false
        throw error
      },
    )

  it.each(redisUsers(namespace))(
    '$service with $setting publishes to, subscribes to and counts in what the table gives',
    async ({ service, setting }) => {
      const redis = as(service, setting)
      const subscriber = as(service, setting)
      const named = (names: readonly ServiceName[]) => names.includes(service)
      // The user of `REDIS_URL` of a service that does both only subscribes.
      const doesBoth = redisUsers(namespace).filter((user) => user.service === service).length > 1
      const publishes = !doesBoth || setting === 'REDIS_PUBLISH_URL'
      const subscribes = !doesBoth || setting === 'REDIS_URL'
      const strangers = [
        {
          writers: [],
          readers: [],
          channel: redisChannel('other', 'member:*'),
          one: redisChannel('other', 'member:x'),
        },
        { writers: [], readers: [], channel: '*', one: 'anything' },
      ]
      try {
        for (const { writers, readers, channel, one } of [...places, ...strangers]) {
          expect([one, await isAllowed(redis.publish(one, ''))]).toEqual([one, publishes && named(writers)])
          expect([one, await isAllowed(subscriber.subscribe(one))]).toEqual([
            one,
            subscribes && named(readers),
          ])
          expect([channel, await isAllowed(subscriber.psubscribe(channel))]).toEqual([
            channel,
            subscribes && named(readers),
          ])
        }
        for (const { users, one } of [...keys, { users: [], one: redisChannel('other', 'rate:x') }]) {
          const mayCount = subscribes && named(users)
          expect([one, await isAllowed(redis.set(one, '1'))]).toEqual([one, mayCount])
          expect([
            one,
            await isAllowed(redis.eval("return redis.call('incrby', KEYS[1], 1)", 1, one)),
          ]).toEqual([one, mayCount])
          expect(await isAllowed(redis.get(one))).toBe(false)
        }
      } finally {
        redis.disconnect()
        subscriber.disconnect()
      }
    },
  )

  it.each(redisUsers(namespace))(
    '$service with $setting administers nothing',
    async ({ service, setting }) => {
      const redis = as(service, setting)
      const commands = [
        ['ACL', 'LIST'],
        ['ACL', 'SETUSER', 'me', 'on', 'nopass', '+@all'],
        ['CONFIG', 'GET', '*'],
        ['KEYS', '*'],
        ['MONITOR'],
        ['FLUSHALL'],
        ['CLIENT', 'KILL', 'TYPE', 'pubsub'],
        ['SHUTDOWN', 'NOSAVE'],
      ] as const
      try {
        for (const [command, ...rest] of commands)
          expect([command, await isAllowed(redis.call(command, ...rest))]).toEqual([command, false])
      } finally {
        redis.disconnect()
      }
    },
  )

  it('nobody does anything without a user', async () => {
    const url = new URL(engines.addresses.redisUrl)
    url.password = ''
    const redis = new Redis(url.href, { enableReadyCheck: false, disableClientInfo: true })
    redis.on('error', () => undefined)
    await expect(redis.publish(redisChannel(namespace, 'member:x'), '')).rejects.toThrow('NOAUTH')
    redis.disconnect()
  })
})
