import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBus } from '@sumlock/bus/bus'
import { on } from '@sumlock/bus/handler'
import { subscribe } from '@sumlock/bus/subscribe'
import { createTopics } from '@sumlock/deployment/create-topics'
import { createKafka } from '@sumlock/dev/engines/kafka'
import type { Child } from '@sumlock/dev/processes/child'
import { freePorts } from '@sumlock/dev/processes/ports'
import { silent } from '@sumlock/dev/processes/progress'
import { loadConfig } from '@sumlock/service-kit/config'
import { kafkaConnection, kafkaEnv } from '@sumlock/service-kit/kafka-settings'
import { createLogger } from '@sumlock/service-kit/logger'
import { eventually } from '@sumlock/testing/wait'
import { ConfigResourceTypes, Kafka, logLevel } from 'kafkajs'
import { z } from 'zod'
import { personChanged, personRecord } from './bed.ts'
import { securedBroker, selfSigned } from './secured-broker.ts'

const namespace = 'secured'
const topic = `${namespace}.auth.users`
let folder: string
let kafka: Child
let foreignCa: string
let env: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sumlock-secured-'))
  const [port, innerPort, controllerPort] = (await freePorts(3)) as [number, number, number]
  foreignCa = await selfSigned(folder, 'foreign')
  env = {
    SUMLOCK_MODE: 'production',
    KAFKA_BROKERS: `127.0.0.1:${port}`,
    KAFKA_TLS: 'on',
    KAFKA_CA: await selfSigned(folder, 'broker'),
    KAFKA_USERNAME: 'sumlock',
    KAFKA_PASSWORD: randomUUID(),
  }
  const variant = securedBroker(folder, 'broker', { port, innerPort, controllerPort }, env)
  kafka = await createKafka({ dataDir: folder, port, controllerPort, progress: silent, variant })
  await kafka.start()
})
afterAll(async () => {
  await kafka?.stop()
  await rm(folder, { recursive: true, force: true })
})

const connection = (changed: Record<string, string> = {}) =>
  kafkaConnection(loadConfig(z.object(kafkaEnv), { ...env, ...changed }))

async function withAdmin<T>(
  changed: Record<string, string>,
  use: (admin: ReturnType<Kafka['admin']>) => Promise<T>,
): Promise<T> {
  const admin = new Kafka({
    ...connection(changed),
    logLevel: logLevel.NOTHING,
    connectionTimeout: 10_000,
    requestTimeout: 10_000,
    retry: { retries: 0 },
  }).admin()
  try {
    await admin.connect()
    return await use(admin)
  } finally {
    await admin.disconnect()
  }
}

/** The settings of the topic itself by name. */
const settingsOfTopic = () =>
  withAdmin({}, async (admin) => {
    const resources = [{ type: ConfigResourceTypes.TOPIC, name: topic }]
    const answer = await admin.describeConfigs({ includeSynonyms: false, resources })
    const entries = answer.resources[0]?.configEntries ?? []
    return Object.fromEntries(entries.map(({ configName, configValue }) => [configName, configValue]))
  })

it('publishes and consumes an event by TLS and SCRAM at a broker whose certificate it signed itself', async () => {
  await createTopics(connection(), namespace)
  const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
  const bus = createBus({ ...connection(), clientId: 'test-1', namespace, logger })
  const person = randomUUID()
  const taken: string[] = []
  const handlers = [on(personChanged, ({ data }) => Promise.resolve(void taken.push(data.userId)))]
  const onFatal = (error: Error) => {
    throw error
  }
  const subscription = subscribe(bus, { group: 'messaging', handlers, onFatal })
  await subscription.ready
  await bus.publish([personRecord(person, 1)])
  await eventually(() => expect(taken).toEqual([person]))
  await subscription.stop()
  await bus.close()
})

it.each([
  ['a wrong password', { KAFKA_PASSWORD: 'wrong' }],
  ['no user', { KAFKA_USERNAME: '', KAFKA_PASSWORD: '' }],
  ['no TLS', { SUMLOCK_MODE: 'local', KAFKA_TLS: 'off', KAFKA_CA: '' }],
  ['only the public authorities', { KAFKA_CA: '' }],
])('a broker with TLS and SCRAM refuses, or is refused by, a client with %s', async (_which, changed) => {
  await expect(withAdmin(changed, (admin) => admin.listTopics())).rejects.toThrow()
  await expect(withAdmin({}, (admin) => admin.listTopics())).resolves.toEqual(expect.any(Array))
})

it('a client refuses a broker with a certificate of another authority', async () => {
  const asked = withAdmin({ KAFKA_CA: foreignCa }, (admin) => admin.listTopics())
  await expect(asked).rejects.toThrow(/self.signed|certificate|signature/i)
})

it('gives an existing topic a changed retention, and leaves it the other settings of its operator', async () => {
  await createTopics(connection(), namespace)
  const wanted = (await settingsOfTopic())['retention.ms']
  const before = { 'retention.ms': '1000', 'max.message.bytes': '2000000' }
  await withAdmin({}, (admin) =>
    admin.alterConfigs({
      validateOnly: false,
      resources: [
        {
          type: ConfigResourceTypes.TOPIC,
          name: topic,
          configEntries: Object.entries(before).map(([name, value]) => ({ name, value })),
        },
      ],
    }),
  )
  await eventually(async () => expect(await settingsOfTopic()).toMatchObject(before))

  await createTopics(connection(), namespace, { minInsyncReplicas: 1 })
  await eventually(async () =>
    expect(await settingsOfTopic()).toMatchObject({
      'retention.ms': wanted,
      'max.message.bytes': '2000000',
      'min.insync.replicas': '1',
    }),
  )
  expect(Number(wanted)).toBeGreaterThan(1000)
})
