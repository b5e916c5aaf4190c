import type { Readable } from 'node:stream'
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3'
import type { S3ServiceException } from '@aws-sdk/client-s3'
import type { SavedObject } from './manifest.ts'

export interface BucketSettings {
  endpoint: string | undefined
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** The headers an object is served with. */
type ObjectHead = Pick<SavedObject, 'contentType' | 'cacheControl' | 'contentDisposition' | 'metadata'>

export type Bucket = ReturnType<typeof openBucket>

/** Opens a bucket through its S3 interface. */
export function openBucket({ bucket: Bucket, endpoint, region, ...credentials }: BucketSettings) {
  const client = new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    credentials,
    // By default the client adds checksum trailers, to which stores other than Amazon's answer 501.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return {
    /** Creates the bucket unless it exists. */
    async create(): Promise<void> {
      await client.send(new CreateBucketCommand({ Bucket })).catch((error: S3ServiceException) => {
        if (error.$metadata?.httpStatusCode !== 409) throw error
      })
    },
    async *keys(): AsyncGenerator<string> {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket }))
        for (const { Key } of Contents) if (Key !== undefined) yield Key
    },
    /** Null when the object no longer exists. */
    async read(Key: string): Promise<{ head: ObjectHead; body: Readable } | null> {
      try {
        const answer = await client.send(new GetObjectCommand({ Bucket, Key }))
        const head = {
          contentType: answer.ContentType ?? null,
          cacheControl: answer.CacheControl ?? null,
          contentDisposition: answer.ContentDisposition ?? null,
          metadata: answer.Metadata ?? {},
        }
        return { head, body: answer.Body as Readable }
      } catch (error) {
        if ((error as Error).name === 'NoSuchKey') return null
        throw error
      }
    },
    async write(Key: string, head: ObjectHead, ContentLength: number, Body: Readable): Promise<void> {
      await client.send(
        new PutObjectCommand({
          Bucket,
          Key,
          Body,
          ContentLength,
          Metadata: head.metadata,
          ContentType: head.contentType ?? undefined,
          CacheControl: head.cacheControl ?? undefined,
          ContentDisposition: head.contentDisposition ?? undefined,
        }),
      )
    },
    async remove(Key: string): Promise<void> {
      await client.send(new DeleteObjectCommand({ Bucket, Key }))
    },
    close: () => client.destroy(),
  }
}
