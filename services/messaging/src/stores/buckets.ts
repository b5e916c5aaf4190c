import { createS3Client } from '@sumlock/service-kit/s3'
import type { S3Settings } from '@sumlock/service-kit/s3-settings'
import type { ServiceBase } from '@sumlock/service-kit/service-base'
import { createMediaBucket } from './media-bucket.ts'
import { createMultipartBucket } from './multipart-bucket.ts'

/** Opens one S3 client, which uploads in parts and whole files share. */
export function openBuckets({ config, onClose }: Pick<ServiceBase, 'onClose'> & { config: S3Settings }) {
  const client = createS3Client(config)
  onClose(() => client.destroy())
  return {
    mediaBucket: createMediaBucket(client, config.S3_BUCKET),
    multipartBucket: createMultipartBucket(client, config.S3_BUCKET),
  }
}
