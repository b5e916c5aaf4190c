import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import type { S3Client } from '@aws-sdk/client-s3'
import { topics } from '@sumlock/contracts/topics'
import { createS3Client } from '@sumlock/service-kit/s3'
import type { EngineAddresses } from '../src/engine-addresses.ts'
import { kafkaAdmin } from '../src/kafka-users.ts'
import { mediaBucketSettings } from '../src/media-bucket.ts'
import { databaseUrl, provision, unprovision } from '../src/provision.ts'
import { randomNamespace, testEngines } from '@sumlock/testing/test-engines'
import { eventually } from '@sumlock/testing/wait'
import kafkajs, { Kafka, logLevel } from 'kafkajs'
import type { AclEntry, Admin } from 'kafkajs'
import mongoose from 'mongoose'

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs

describe('a provisioned namespace', () => {
  it('gives each service a user that reads its own database and no other', async () => {
    const { addresses, secrets } = await testEngines()
    const namespace = randomNamespace()
    await provision(addresses, secrets, namespace)
    const url = databaseUrl(addresses, secrets, namespace, 'billing')
    const connection = await mongoose.createConnection(url).asPromise()
    try {
      const client = connection.getClient()
      await client.db(`${namespace}_billing`).collection('x').insertOne({ a: 1 })
      expect(await client.db(`${namespace}_billing`).collection('x').countDocuments()).toBe(1)
      const foreign = client.db(`${namespace}_auth`).collection('x').findOne({})
      await expect(foreign).rejects.toMatchObject({ codeName: 'Unauthorized' })
    } finally {
      await connection.close()
      await unprovision(addresses, namespace)
    }
  })

  it('can be provisioned again, then accepts the current passwords', async () => {
    const { addresses, secrets } = await testEngines()
    const namespace = randomNamespace()
    await provision(addresses, { ...secrets, mongoPasswords: secrets.internalSecrets }, namespace)
    await provision(addresses, secrets, namespace)
    const connection = mongoose.createConnection(databaseUrl(addresses, secrets, namespace, 'auth'))
    await expect(connection.asPromise()).resolves.toBe(connection)
    await connection.close()
    await unprovision(addresses, namespace)
  })

  it('has every topic with its partitions and a dead-letter topic', async () => {
    const { addresses, secrets } = await testEngines()
    const namespace = randomNamespace()
    await provision(addresses, secrets, namespace)
    const partitions = await withKafka(addresses, async (admin) => {
      const { topics: made } = await admin.fetchTopicMetadata({ topics: await topicsOf(admin, namespace) })
      return Object.fromEntries(made.map((topic) => [topic.name, topic.partitions.length]))
    })
    for (const { name, partitions: wanted } of topics) {
      expect(partitions[`${namespace}.${name}`]).toBe(wanted)
      expect(partitions[`${namespace}.${name}.dlq`]).toBe(1)
    }
    await unprovision(addresses, namespace)
  })

  it('has a bucket that keeps its objects when it is provisioned again', async () => {
    const { addresses, secrets } = await testEngines()
    const namespace = randomNamespace()
    await provision(addresses, secrets, namespace)
    await withBucket(addresses, namespace, async (client, Bucket) => {
      await client.send(new PutObjectCommand({ Bucket, Key: 'kept', Body: 'x' }))
      await provision(addresses, secrets, namespace)
      const { Contents } = await client.send(new ListObjectsV2Command({ Bucket }))
      expect(Contents?.map(({ Key }) => Key)).toEqual(['kept'])
      await unprovision(addresses, namespace)
      const listing = client.send(new ListObjectsV2Command({ Bucket }))
      await expect(listing).rejects.toMatchObject({ name: 'NoSuchBucket' })
    })
  })

  it('loses every right that the table does not give its users or everybody, and keeps those of others', async () => {
    const { addresses, secrets } = await testEngines()
    const namespace = randomNamespace()
    await provision(addresses, secrets, namespace)
    await withKafka(addresses, async (admin) => {
      const given = await rulesOf(admin, namespace)
      const [ofTable] = given.filter(({ resourceName }) => resourceName === `${namespace}.auth.users`)
      const rule = ofTable as AclEntry
      const everywhere = {
        ...rule,
        resourceName: '*',
        resourceType: AclResourceTypes.TRANSACTIONAL_ID,
        operation: AclOperationTypes.DESCRIBE,
      }
      const cluster = { resourceType: AclResourceTypes.CLUSTER, resourceName: 'kafka-cluster' }
      const odd = [
        { ...rule, host: '192.0.2.1' },
        { ...rule, resourcePatternType: ResourcePatternTypes.PREFIXED },
        { ...rule, permissionType: AclPermissionTypes.DENY, host: '192.0.2.2' },
        { ...rule, principal: 'User:*', operation: AclOperationTypes.DESCRIBE },
        { ...rule, principal: 'User:stranger' },
        everywhere,
        { ...everywhere, principal: 'User:*' },
        { ...everywhere, resourceName: namespace, resourcePatternType: ResourcePatternTypes.PREFIXED },
        { ...everywhere, ...cluster, operation: AclOperationTypes.IDEMPOTENT_WRITE },
      ]
      const monitoring = { ...everywhere, principal: `User:monitoring-${namespace}` }
      await admin.createAcls({ acl: [...odd, monitoring] })
      // Another suite that is provisioned at the same time removes the rules about everything, too.
      const ofNamespace = ({ resourceName }: AclEntry) => resourceName.startsWith(namespace)
      await eventually(async () => {
        const present = (await rulesOf(admin, namespace)).filter(ofNamespace)
        expect(present).toHaveLength([...given, ...odd].filter(ofNamespace).length)
      })
      await provision(addresses, secrets, namespace)
      await eventually(async () => {
        const rules = await rulesOf(admin, namespace)
        expect(rules.filter(({ principal }) => principal !== monitoring.principal)).toEqual(given)
        expect(rules).toHaveLength(given.length + 1)
      })
      await admin.deleteAcls({ filters: [monitoring] })
    })
    await unprovision(addresses, namespace)
  })

  it('is removed completely', async () => {
    const { addresses, secrets } = await testEngines()
    const namespace = randomNamespace()
    await provision(addresses, secrets, namespace)
    await unprovision(addresses, namespace)
    const connection = await mongoose.createConnection(addresses.mongoAdminUrl).asPromise()
    const users = await connection
      .getClient()
      .db('admin')
      .command({ usersInfo: { forAllDBs: true } })
    await connection.close()
    expect(JSON.stringify(users['users'])).not.toContain(namespace)
    // The controller removes topics at once; the broker's list follows.
    await withKafka(addresses, (admin) =>
      eventually(async () => expect(await topicsOf(admin, namespace)).toEqual([])),
    )
  })
})

async function withBucket(
  addresses: EngineAddresses,
  namespace: string,
  work: (client: S3Client, bucket: string) => Promise<void>,
): Promise<void> {
  const settings = mediaBucketSettings(addresses, namespace)
  const client = createS3Client(settings)
  await work(client, settings.S3_BUCKET).finally(() => client.destroy())
}

async function withKafka<T>(addresses: EngineAddresses, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = new Kafka({ ...kafkaAdmin(addresses), logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.disconnect()
  }
}

/** The rules about the namespace and those about everything. */
async function rulesOf(admin: Admin, namespace: string): Promise<AclEntry[]> {
  const { resources } = await admin.describeAcls({
    resourceType: AclResourceTypes.ANY,
    resourcePatternType: ResourcePatternTypes.ANY,
    operation: AclOperationTypes.ANY,
    permissionType: AclPermissionTypes.ANY,
  })
  return resources
    .filter(({ resourceName: name }) => name.startsWith(namespace) || ['*', 'kafka-cluster'].includes(name))
    .flatMap(({ acls, ...resource }) => acls.map((acl) => ({ ...resource, ...acl })))
    .sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))
}

const topicsOf = async (admin: Admin, namespace: string) =>
  (await admin.listTopics()).filter((topic) => topic.startsWith(`${namespace}.`))
