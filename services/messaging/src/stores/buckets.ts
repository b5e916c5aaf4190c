import { createS3Client } from '@sumlock/service-kit/s3'
import type { S3Settings } from '@sumlock/service-kit/s3-settings'
import { createMediaBucket } from './media-bucket.ts'
import { createMultipartBucket } from './multipart-bucket.ts'

/** The S3 store of media. Context loads this file, which imports the SDK of S3, when media are first used. */
export function openBuckets(settings: S3Settings) {
  const client = createS3Client(settings)
  return {
    mediaBucket: createMediaBucket(client, settings.S3_BUCKET),
    multipartBucket: createMultipartBucket(client, settings.S3_BUCKET),
    close: () => client.destroy(),
  }
}
