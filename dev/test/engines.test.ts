import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import type { S3Client } from '@aws-sdk/client-s3'
import { topics } from '@sumlock/contracts/topics'
import { startEngines } from '../engines/engines.ts'
import type { Engines } from '../engines/engines.ts'
import { createMongo } from '../engines/mongo.ts'
import { freePorts } from '../processes/ports.ts'
import { silent } from '../processes/progress.ts'
import { mediaBucketSettings } from '@sumlock/deployment/media-bucket'
import { kafkaAdmin } from '@sumlock/deployment/kafka-users'
import { databaseUrl, provision } from '@sumlock/deployment/provision'
import { createS3Client } from '@sumlock/service-kit/s3'
import { eventually } from '@sumlock/testing/wait'
import { Kafka, logLevel } from 'kafkajs'
import mongoose from 'mongoose'

describe('native engines', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sumlock-engines-'))
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  it('keep users, documents, topics, objects and mail after SIGKILL and a start on other ports', async () => {
    let engines = await startEngines({ dataDir })
    try {
      await provision(engines.addresses, engines.secrets, 'kept')
      await withDatabase(engines, (things) => things.insertOne({ a: 1 }, { writeConcern: { w: 'majority' } }))
      await withBucket(engines, (client, Bucket) =>
        client.send(new PutObjectCommand({ Bucket, Key: 'kept', Body: 'x' })),
      )
      await sendMail(Number(new URL(engines.addresses.smtpUrl).port))
      await Promise.all(engines.children.map((child) => child.kill('SIGKILL')))
      engines = await startEngines({ dataDir })
      expect(await withDatabase(engines, (things) => things.countDocuments({ a: 1 }))).toBe(1)
      expect(await topicNames(engines)).toEqual(
        expect.arrayContaining(topics.map(({ name }) => `kept.${name}`)),
      )
      const listing = await withBucket(engines, (client, Bucket) =>
        client.send(new ListObjectsV2Command({ Bucket })),
      )
      expect(listing.Contents?.map(({ Key }) => Key)).toEqual(['kept'])
      // The inbox reads its folder after it has begun to answer.
      const inbox = `${engines.addresses.inboxUrl}/email`
      await eventually(async () => {
        const mails = (await (await fetch(inbox)).json()) as { subject: string }[]
        expect(mails.map(({ subject }) => subject)).toEqual(['kept'])
      })
    } finally {
      await engines.stop()
    }
  })

  it('recover from a first start that ended before the administrator was created', async () => {
    const [port = 0] = await freePorts(1)
    const options = { dataDir, port, progress: silent }
    // MongoDB refuses to create a user with an empty password, so this start ends after it created the replica set.
    const interrupted = await createMongo({ ...options, adminPassword: '' })
    await expect(interrupted.start()).rejects.toThrow()
    await interrupted.kill('SIGKILL')
    const mongo = await createMongo({ ...options, adminPassword: 'first' })
    try {
      await mongo.start()
      const connection = await mongoose.createConnection(mongo.adminUrl).asPromise()
      const { users } = await connection.getClient().db('admin').command({ usersInfo: 'admin' })
      expect(users).toHaveLength(1)
      await connection.close()
    } finally {
      await mongo.stop()
    }
  })

  it('report that their data was created with another password', async () => {
    const [port = 0] = await freePorts(1)
    const options = { dataDir, port, progress: silent }
    const mongo = await createMongo({ ...options, adminPassword: 'first' })
    await mongo.start()
    await mongo.stop()
    const other = await createMongo({ ...options, adminPassword: 'second' })
    try {
      await expect(other.start()).rejects.toThrow('MongoDB refuses the password in secrets.json')
    } finally {
      await other.stop()
    }
  })
})

async function withDatabase<T>(
  { addresses, secrets }: Engines,
  work: (things: mongoose.mongo.Collection) => Promise<T>,
): Promise<T> {
  const url = databaseUrl(addresses, secrets, 'kept', 'auth')
  const connection = await mongoose.createConnection(url).asPromise()
  try {
    return await work(connection.getClient().db('kept_auth').collection('things'))
  } finally {
    await connection.close()
  }
}

async function withBucket<T>(
  { addresses }: Engines,
  work: (client: S3Client, bucket: string) => Promise<T>,
): Promise<T> {
  const settings = mediaBucketSettings(addresses, 'kept')
  const client = createS3Client(settings)
  return work(client, settings.S3_BUCKET).finally(() => client.destroy())
}

async function topicNames({ addresses }: Engines): Promise<string[]> {
  const admin = new Kafka({ ...kafkaAdmin(addresses), logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    return await admin.listTopics()
  } finally {
    await admin.disconnect()
  }
}

/** Sends one mail over SMTP; resolves when the server has closed the connection. */
function sendMail(port: number): Promise<void> {
  const head = ['HELO here', 'MAIL FROM:<a@x.test>', 'RCPT TO:<b@x.test>']
  const lines = [...head, 'DATA', 'Subject: kept\r\n\r\nHi\r\n.', 'QUIT']
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.on('data', () => socket.write(`${lines.shift() ?? ''}\r\n`))
    socket.once('error', reject)
    socket.once('close', () => resolve())
  })
}
