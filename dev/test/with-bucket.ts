import type { S3Client } from '@aws-sdk/client-s3'
import { createBucket } from '@sumlock/deployment/buckets'
import { mediaBucketSettings } from '@sumlock/deployment/media-bucket'
import { createS3Client } from '@sumlock/service-kit/s3'
import type { Child } from '../processes/child.ts'

/** Starts a store with a bucket for the time of `work`. */
export async function withBucket(
  store: Child,
  s3Url: string,
  work: (client: S3Client, Bucket: string) => Promise<void>,
): Promise<void> {
  const settings = mediaBucketSettings({ s3Url }, 'test')
  const client = createS3Client(settings)
  try {
    await store.start()
    await createBucket(settings)
    await work(client, settings.S3_BUCKET)
  } finally {
    client.destroy()
    await store.stop()
  }
}
