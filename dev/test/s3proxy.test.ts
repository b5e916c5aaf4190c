import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import {
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { S3Client } from '@aws-sdk/client-s3'
import { eventually } from '@sumlock/testing/wait'
import { createS3, s3UrlOf } from '../engines/s3.ts'
import { createS3Proxy } from '../engines/s3proxy.ts'
import { freePorts } from '../processes/ports.ts'
import { silent } from '../processes/progress.ts'
import { withBucket } from './with-bucket.ts'

type Provider = 'filesystem' | 'filesystem-nio2'
type Store = Awaited<ReturnType<typeof createS3Proxy>>

const uuid = 'b08a0627-bbae-4763-b500-5d1f337b5fd6'
const photo = Buffer.alloc(200_000, 7)

describe('S3Proxy', () => {
  let dataDir: string
  let folder: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sumlock-s3-'))
    folder = join(dataDir, 's3/buckets/test-media')
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  async function withStore(
    work: (client: S3Client, Bucket: string, store: Store) => Promise<void>,
    provider: Provider = 'filesystem',
  ): Promise<void> {
    const [port = 0] = await freePorts(1)
    const store = await createS3Proxy({ dataDir, port, secretKey: 'secret', provider, progress: silent })
    await withBucket(store, s3UrlOf(port, 'secret'), (client, Bucket) => work(client, Bucket, store))
  }

  const unfinishedFiles = async () => (await readdir(folder)).filter((name) => name.startsWith('cut-'))
  const keys = async (client: S3Client, Bucket: string) =>
    (await client.send(new ListObjectsV2Command({ Bucket }))).Contents?.map(({ Key }) => Key)

  /** Begins an upload that never ends; `during` runs when the store has written some of it. */
  async function cutUpload(client: S3Client, Bucket: string, during: () => Promise<void>): Promise<void> {
    const body = Readable.from([photo], { objectMode: false })
    const endless = new Readable({ read: () => undefined })
    body.on('data', (chunk) => endless.push(chunk))
    const abort = new AbortController()
    const command = new PutObjectCommand({ Bucket, Key: 'cut', Body: endless, ContentLength: 1e6 })
    const upload = client.send(command, { abortSignal: abort.signal })
    const failed = expect(upload).rejects.toThrow()
    await eventually(async () => expect(await unfinishedFiles()).toHaveLength(1))
    await during()
    abort.abort()
    await failed
  }

  it('forgets an upload that is cut off, and lists the objects as before', () =>
    withStore(async (client, Bucket) => {
      await client.send(new PutObjectCommand({ Bucket, Key: 'whole', Body: photo }))
      await cutUpload(client, Bucket, () => Promise.resolve())
      await eventually(async () => expect(await unfinishedFiles()).toEqual([]))
      expect(await keys(client, Bucket)).toEqual(['whole'])
    }))

  it('forgets an upload during which it was killed when it starts again', () =>
    withStore(async (client, Bucket, store) => {
      await client.send(new PutObjectCommand({ Bucket, Key: 'whole', Body: photo }))
      await cutUpload(client, Bucket, () => store.kill('SIGKILL'))
      expect(await unfinishedFiles()).toHaveLength(1)
      await store.start()
      expect(await keys(client, Bucket)).toEqual(['whole'])
    }))

  it('opens objects and pending uploads of the provider that earlier versions used, without its unfinished files', async () => {
    let UploadId: string | undefined
    await withStore(async (client, Bucket) => {
      const type = { ContentType: 'image/jpeg', Metadata: { of: 'x' } }
      await client.send(new PutObjectCommand({ Bucket, Key: 'whole', Body: photo, ...type }))
      UploadId = (await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'parts' }))).UploadId
      const part = { Bucket, Key: 'parts', UploadId, PartNumber: 1, Body: photo }
      await client.send(new UploadPartCommand(part))
      await cutUpload(client, Bucket, () => Promise.resolve())
      await expect(keys(client, Bucket)).rejects.toMatchObject({ $metadata: { httpStatusCode: 500 } })
    }, 'filesystem-nio2')
    expect(await unfinishedFiles()).toHaveLength(1)
    await withStore(async (client, Bucket) => {
      const whole = await client.send(new GetObjectCommand({ Bucket, Key: 'whole' }))
      expect(whole).toMatchObject({ ContentType: 'image/jpeg', Metadata: { of: 'x' } })
      expect(Buffer.from((await whole.Body?.transformToByteArray()) ?? []).equals(photo)).toBe(true)
      const { Parts } = await client.send(new ListPartsCommand({ Bucket, Key: 'parts', UploadId }))
      expect(Parts?.map(({ Size }) => Size)).toEqual([photo.length])
      expect(await unfinishedFiles()).toEqual([])
      expect(await keys(client, Bucket)).toContain('whole')
    })
  })

  it('keeps every object whose key does not end like an unfinished file', async () => {
    const kept = ['wGhs2-4Q_x', uuid, `${uuid}-0`, uuid.slice(1), `x-${uuid.replace('-4', '-1')}`]
    await withStore(async (client, Bucket) => {
      for (const Key of kept) await client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }))
    })
    await writeFile(join(folder, `cut-${uuid}`), 'x')
    await withStore(async (client, Bucket) => {
      expect(await keys(client, Bucket)).toEqual(kept.toSorted())
    })
  })

  it('is not replaced by another store, which would not read its objects', async () => {
    await withStore((client, Bucket) =>
      client.send(new PutObjectCommand({ Bucket, Key: 'whole', Body: photo })).then(() => undefined),
    )
    const setup = { dataDir, port: 0, secretKey: 'secret', progress: silent }
    await expect(createS3({ ...setup, store: 'versitygw' })).rejects.toThrow(
      `The media in ${dataDir} were stored by s3proxy: unset SUMLOCK_S3_STORE`,
    )
    const store = await createS3(setup)
    expect(await readdir(join(dataDir, 's3'))).not.toContain('versitygw')
    await store.stop()
  })
})
