import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBus } from '@sumlock/bus/bus'
import type { Bus } from '@sumlock/bus/bus'
import { readTopic } from '@sumlock/bus/read-topic'
import { createLogger } from '@sumlock/service-kit/logger'
import { startBrokerCluster } from '@sumlock/testing/faults/broker-cluster'
import type { BrokerCluster } from '@sumlock/testing/faults/broker-cluster'
import { localPlaces } from '@sumlock/testing/faults/places'
import { eventually } from '@sumlock/testing/wait'
import { personRecord } from './bed.ts'

const topic = 'test.auth.users'

let folder: string
let cluster: BrokerCluster
let bus: Bus
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sumlock-bus-'))
  cluster = await startBrokerCluster(folder, await localPlaces())
  const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
  const brokers = cluster.addresses.split(',')
  bus = createBus({ brokers, clientId: 'test-1', namespace: 'test', logger })
}, 120_000)
afterAll(async () => {
  await bus?.close()
  await cluster?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

async function asAdmin<T>(act: (admin: ReturnType<Bus['admin']>) => Promise<T>): Promise<T> {
  const admin = bus.admin()
  await admin.connect()
  try {
    return await act(admin)
  } finally {
    await admin.disconnect()
  }
}

const leaders = () =>
  asAdmin(async (admin) => {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
    const partitions = topics[0]?.partitions ?? []
    return partitions.sort((a, b) => a.partitionId - b.partitionId).map(({ leader }) => leader)
  })

/** Returns the keys in the topic, once a broker coordinates the reader. */
const stored = () =>
  eventually(async () => (await readTopic(bus, 'auth.users')).map(({ message }) => String(message.key)))

it('publishes every record when a partition has moved to a broker that takes another part of the same batch', async () => {
  const replicaAssignment = [
    { partition: 0, replicas: [1, 3] },
    { partition: 1, replicas: [2, 3] },
  ]
  await asAdmin((admin) =>
    admin.createTopics({ topics: [{ topic, replicaAssignment }], waitForLeaders: true }),
  )
  await eventually(async () => expect(await leaders()).toEqual([1, 2]))
  const publish = async () => {
    const records = Array.from({ length: 20 }, () => personRecord(randomUUID(), 1))
    await bus.publish(records)
    return records.map(({ key }) => key)
  }
  const first = await publish()
  const partitionAssignment = [{ partition: 1, replicas: [1, 3] }]
  await asAdmin((admin) => admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment }] }))
  await eventually(async () => expect(await leaders()).toEqual([1, 1]), { timeoutMs: 30_000 })
  const second = await publish()
  // The records that the first broker already took are sent again with the others.
  expect(new Set(await stored())).toEqual(new Set([...first, ...second]))
}, 60_000)
