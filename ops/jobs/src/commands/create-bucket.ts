import { createBucket } from '@sumlock/deployment/buckets'
import { setting } from '../config.ts'
import { runJob, waitFor } from '../run-job.ts'

// Creates the media bucket in the S3 store of a compose project or of the cluster's local overlay. Safe to repeat.
await runJob('create-bucket', async (logger) => {
  const [endpoint, bucket] = [setting('S3_ENDPOINT'), setting('S3_BUCKET')]
  const settings = {
    S3_ENDPOINT: endpoint,
    S3_REGION: 'us-east-1',
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: setting('ROOT_ACCESS_KEY'),
    S3_SECRET_ACCESS_KEY: setting('ROOT_SECRET_KEY'),
  }
  await waitFor(`the S3 store at ${endpoint}`, () => createBucket(settings), logger)
  return `the bucket ${bucket} exists`
})
