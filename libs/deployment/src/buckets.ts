import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3'
import type { S3ServiceException } from '@aws-sdk/client-s3'
import { createS3Client } from '@sumlock/service-kit/s3'
import type { S3Settings } from '@sumlock/service-kit/s3-settings'

const removedAtOnce = 20

const unless =
  (status: number) =>
  (error: S3ServiceException): void => {
    if (error.$metadata?.httpStatusCode !== status) throw error
  }

/** Creates the bucket of the settings unless it exists; an existing one keeps its objects. */
export async function createBucket(settings: S3Settings): Promise<void> {
  const client = createS3Client(settings)
  try {
    await client.send(new CreateBucketCommand({ Bucket: settings.S3_BUCKET })).catch(unless(409))
  } finally {
    client.destroy()
  }
}

/** Removes the bucket of the settings with all its objects, if it exists. Only tests call it. */
export async function removeBucket(settings: S3Settings): Promise<void> {
  const client = createS3Client(settings)
  const Bucket = settings.S3_BUCKET
  const empty = async () => {
    // By default a page has a thousand objects, and a busy store would not accept so many connections within a second.
    for await (const { Contents = [] } of paginateListObjectsV2(
      { client, pageSize: removedAtOnce },
      { Bucket },
    ))
      await Promise.all(Contents.map(({ Key }) => client.send(new DeleteObjectCommand({ Bucket, Key }))))
    await client.send(new DeleteBucketCommand({ Bucket }))
  }
  try {
    await empty().catch(unless(404))
  } finally {
    client.destroy()
  }
}
