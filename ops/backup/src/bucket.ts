import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import type { SavedObject } from './manifest.ts'

export interface BucketSettings {
  endpoint: string | undefined
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** The headers an object is served with. */
export type ObjectHead = Pick<SavedObject, 'contentType' | 'cacheControl' | 'contentDisposition' | 'metadata'>

export interface Bucket {
  keys(): AsyncGenerator<string>
  /** Null when the object no longer exists. */
  read(key: string): Promise<{ head: ObjectHead; body: Readable } | null>
  write(key: string, head: ObjectHead, bytes: number, body: Readable): Promise<void>
  remove(key: string): Promise<void>
  close(): void
}

/** Opens the private media bucket through its S3 interface. */
export function openBucket({ bucket: Bucket, ...settings }: BucketSettings): Bucket {
  const client = new S3Client({
    region: settings.region,
    ...(settings.endpoint === undefined ? {} : { endpoint: settings.endpoint, forcePathStyle: true }),
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    // By default the client adds checksum trailers, to which stores other than Amazon's answer 501.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return {
    async *keys() {
      let ContinuationToken: string | undefined
      do {
        const page = await client.send(new ListObjectsV2Command({ Bucket, ContinuationToken }))
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken !== undefined)
    },
    async read(Key) {
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
    async write(Key, { contentType, cacheControl, contentDisposition, metadata }, ContentLength, Body) {
      await client.send(
        new PutObjectCommand({
          Bucket,
          Key,
          Body,
          ContentLength,
          Metadata: metadata,
          ...(contentType === null ? {} : { ContentType: contentType }),
          ...(cacheControl === null ? {} : { CacheControl: cacheControl }),
          ...(contentDisposition === null ? {} : { ContentDisposition: contentDisposition }),
        }),
      )
    },
    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key }))
    },
    close: () => client.destroy(),
  }
}

/** SHA-256 and length of an object's content. */
export async function hashObject(body: Readable): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}
