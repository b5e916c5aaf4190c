import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import type { S3Client } from '@aws-sdk/client-s3'
import { compiledGoBinary } from '../engines/go-binary.ts'
import { createS3 } from '../engines/s3.ts'
import { attributesFolder, keepsAttributes, versitygwFolder, versitygwProgram } from '../engines/versitygw.ts'
import { freePorts } from '../processes/ports.ts'
import { silent } from '../processes/progress.ts'
import { withBucket } from './with-bucket.ts'

type Store = Awaited<ReturnType<typeof createS3>>

const photo = Buffer.alloc(200_000, 7)
// The test runner has compiled versitygw where there is a Go.
const itWithGo = (await compiledGoBinary(versitygwProgram)) ? it : it.skip
if (itWithGo === it.skip) process.stderr.write('Without Go, the tests of versitygw are skipped.\n')

describe('versitygw', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sumlock-versitygw-'))
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  async function withStore(work: (client: S3Client, Bucket: string, store: Store) => Promise<void>) {
    const [port = 0] = await freePorts(1)
    const setup = { dataDir, port, secretKey: 'secret', progress: silent }
    const store = await createS3({ ...setup, store: 'versitygw' })
    await withBucket(store, store.url, (client, Bucket) => work(client, Bucket, store))
  }

  const keys = async (client: S3Client, Bucket: string) =>
    (await client.send(new ListObjectsV2Command({ Bucket }))).Contents?.map(({ Key }) => Key)
  const put = (client: S3Client, Bucket: string) =>
    client.send(new PutObjectCommand({ Bucket, Key: 'a/whole', Body: photo, ContentType: 'image/jpeg' }))
  const get = (client: S3Client, Bucket: string) =>
    client.send(new GetObjectCommand({ Bucket, Key: 'a/whole' }))

  itWithGo('forgets an upload during which it was killed, and lists no folder as an object', () =>
    withStore(async (client, Bucket, store) => {
      await put(client, Bucket)
      const body = new Readable({ read: () => undefined })
      body.push(photo)
      const upload = client.send(new PutObjectCommand({ Bucket, Key: 'cut', Body: body, ContentLength: 1e6 }))
      const failed = expect(upload).rejects.toThrow()
      await store.kill('SIGKILL')
      await failed
      await store.start()
      expect(await keys(client, Bucket)).toEqual(['a/whole'])
    }),
  )

  itWithGo('keeps the attributes of objects in a second folder where files have none', async () => {
    await mkdir(versitygwFolder(dataDir), { recursive: true })
    await mkdir(attributesFolder(dataDir))
    await withStore(async (client, Bucket) => {
      await put(client, Bucket)
      expect(existsSync(join(attributesFolder(dataDir), Bucket, 'a/whole'))).toBe(true)
    })
    await withStore(async (client, Bucket) => {
      expect(await get(client, Bucket)).toMatchObject({ ContentType: 'image/jpeg' })
    })
  })

  it('finds that files of /proc have no attributes', async () => {
    expect(await keepsAttributes('/proc')).toBe(false)
  })
})
