import { openBucket } from '@sumlock/backup/bucket'
import { setting } from '../config.ts'

// Creates the bucket of a compose project in its S3 store, unless it exists.
const bucket = openBucket({
  endpoint: setting('S3_URL'),
  region: 'us-east-1',
  bucket: setting('S3_BUCKET'),
  accessKeyId: setting('ROOT_ACCESS_KEY'),
  secretAccessKey: setting('ROOT_SECRET_KEY'),
})
await bucket.create()
bucket.close()
process.stdout.write(`create-bucket: ${setting('S3_BUCKET')} exists\n`)
