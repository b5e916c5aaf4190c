import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3'
import { createS3Client } from '@sumlock/service-kit/s3'
import type { S3Settings } from '@sumlock/service-kit/s3-settings'
import type { SavedObject } from './manifest.ts'

/** The store sends an object with these headers. */
type ObjectHead = Pick<SavedObject, 'contentType' | 'cacheControl' | 'contentDisposition' | 'metadata'>

export type Bucket = ReturnType<typeof openBucket>

/** Opens a bucket through its S3 interface. */
export function openBucket(settings: S3Settings) {
  const { S3_BUCKET: Bucket } = settings
  const client = createS3Client(settings)
  return {
    async *keys(): AsyncGenerator<string> {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket }))
        for (const { Key } of Contents) if (Key !== undefined) yield Key
    },
    /** Returns null when the object no longer exists. */
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
