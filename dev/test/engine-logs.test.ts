import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { createBucket } from '@sumlock/deployment/buckets'
import { mediaBucketSettings } from '@sumlock/deployment/media-bucket'
import { createS3Client } from '@sumlock/service-kit/s3'
import { eventually } from '@sumlock/testing/wait'
import mongoose from 'mongoose'
import { createMongo } from '../engines/mongo.ts'
import { createS3 } from '../engines/s3.ts'
import type { Child } from '../processes/child.ts'
import { freePorts } from '../processes/ports.ts'
import { silent } from '../processes/progress.ts'

describe('the logs of the native engines', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sumlock-engine-logs-'))
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  const setup = async () => ({ dataDir, port: (await freePorts(1))[0] ?? 0, progress: silent })

  const linesOf = async ({ logFile }: Child, isMeant = (_line: string) => true) =>
    (await readFile(logFile, 'utf8')).split('\n').filter(isMeant)

  it('get at most one line, and no stack trace, for each upload that is cut off', async () => {
    const uploads = 128
    const store = await createS3({ ...(await setup()), secretKey: 'secret', store: 's3proxy' })
    const settings = mediaBucketSettings({ s3Url: store.url }, 'test')
    const client = createS3Client(settings)
    const folder = join(dataDir, 's3/buckets', settings.S3_BUCKET)
    const unfinished = async () => (await readdir(folder)).length
    try {
      await store.start()
      await createBucket(settings)
      const before = (await linesOf(store)).length
      const abort = new AbortController()
      const cut: Promise<void>[] = []
      // The load grows in steps, because a client that starts everything at once misses its own time limit for
      // connecting.
      for (let begun = 0; begun < uploads; begun += 16) {
        for (let number = begun; number < begun + 16; number += 1) {
          const Body = new Readable({ read: () => undefined })
          Body.push(Buffer.alloc(20_000))
          const object = { Bucket: settings.S3_BUCKET, Key: `cut-${number}`, Body, ContentLength: 1e6 }
          const sent = client.send(new PutObjectCommand(object), { abortSignal: abort.signal })
          cut.push(expect(sent).rejects.toMatchObject({ name: 'AbortError' }))
        }
        await eventually(async () => expect(await unfinished()).toBe(begun + 16), { timeoutMs: 10_000 })
      }
      abort.abort()
      await Promise.all(cut)
      await eventually(async () => expect(await unfinished()).toBe(0), { timeoutMs: 10_000 })
      expect(await linesOf(store, (line) => /^\s+at /.test(line))).toEqual([])
      expect((await linesOf(store)).length - before).toBeLessThanOrEqual(uploads)
    } finally {
      client.destroy()
      await store.stop()
    }
  })

  it('hold no hash of a cookie after a slow query for a session', async () => {
    const cookieHash = 'aHashOfTheCookieOfSomebody'
    const mongo = await createMongo({ ...(await setup()), adminPassword: 'secret' })
    try {
      await mongo.start()
      const connection = await mongoose.createConnection(mongo.adminUrl).asPromise()
      const sessions = connection.getClient().db('auth').collection('sessions')
      await sessions.insertOne({ cookieHash })
      const $where = 'sleep(500) || true'
      expect(await sessions.findOne({ cookieHash, $where })).toMatchObject({ cookieHash })
      await sessions.updateOne({ cookieHash, $where }, { $set: { seen: true } })
      await connection.close()
    } finally {
      await mongo.stop()
    }
    expect(await linesOf(mongo, (line) => line.includes(cookieHash))).toEqual([])
  })
})
