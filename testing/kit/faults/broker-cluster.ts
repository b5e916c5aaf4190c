import { join } from 'node:path'
import { createBus } from '@sumlock/bus/bus'
import type { Bus } from '@sumlock/bus/bus'
import { createKafka } from '@sumlock/dev/engines/kafka'
import type { Child } from '@sumlock/dev/processes/child'
import { silent } from '@sumlock/dev/processes/progress'
import { waitUntil } from '@sumlock/deployment/wait-until'
import pino from 'pino'
import type { Place } from './places.ts'

export interface BrokerCluster {
  readonly brokers: readonly Child[]
  /** The addresses of the brokers, in the form of the setting `KAFKA_BROKERS`. */
  readonly addresses: string
  /** Resolves to the index of the broker that leads the first partition of a topic. */
  leaderOf(topic: string): Promise<number>
  /** Resolves once all three copies of every partition are in sync. */
  whole(): Promise<unknown>
  stop(): Promise<void>
}

const copies = 3

/**
 * Starts three brokers that are also the controllers. Each topic has three copies, of which two are written before a
 * record is acknowledged.
 */
export async function startBrokerCluster(dataDir: string, places: readonly Place[]): Promise<BrokerCluster> {
  const voters = places.map(({ host, controllerPort }, index) => `${index + 1}@${host}:${controllerPort}`)
  const addresses = places.map(({ host, kafkaPort }) => `${host}:${kafkaPort}`)
  const brokers = await Promise.all(
    places.map(({ host, kafkaPort, controllerPort, within }, index) =>
      createKafka({
        dataDir: join(dataDir, `broker-${index + 1}`),
        port: kafkaPort,
        controllerPort,
        progress: silent,
        variant: {
          properties: `node.id=${index + 1}
controller.quorum.voters=${voters.join()}
listeners=CLIENTS://${host}:${kafkaPort},CONTROLLER://${host}:${controllerPort}
advertised.listeners=CLIENTS://${host}:${kafkaPort}
default.replication.factor=${copies}
min.insync.replicas=2
offsets.topic.replication.factor=${copies}
transaction.state.log.replication.factor=${copies}
transaction.state.log.min.isr=2
broker.session.timeout.ms=9000
broker.heartbeat.interval.ms=2000
`,
          format: [],
          connection: { brokers: [`${host}:${kafkaPort}`] },
          within,
        },
      }),
    ),
  )
  const stop = async () => {
    await Promise.all(brokers.map((broker) => broker.stop()))
  }
  try {
    await Promise.all(brokers.map((broker) => broker.start()))
  } catch (error) {
    await stop()
    throw error
  }
  const ask = <T>(question: Parameters<typeof withAdmin<T>>[1]) => withAdmin(addresses, question)
  return {
    brokers,
    addresses: addresses.join(),
    leaderOf: (topic) =>
      ask(async (admin) => {
        const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
        return (topics[0]?.partitions.find(({ partitionId }) => partitionId === 0)?.leader ?? 0) - 1
      }),
    whole: () =>
      waitUntil(
        'all copies of all partitions to be in sync',
        () =>
          ask(async (admin) => {
            const { topics } = await admin.fetchTopicMetadata()
            return topics.every(({ partitions }) => partitions.every(({ isr }) => isr.length === copies))
          }),
        { timeoutMs: 120_000, everyMs: 500 },
      ),
    stop,
  }
}

async function withAdmin<T>(
  brokers: readonly string[],
  question: (admin: ReturnType<Bus['admin']>) => Promise<T>,
): Promise<T> {
  const logger = pino({ level: 'silent' })
  const admin = createBus({ brokers: [...brokers], clientId: 'reader', namespace: '', logger }).admin()
  await admin.connect()
  try {
    return await question(admin)
  } finally {
    await admin.disconnect()
  }
}
