import { setting } from '../config.ts'
import { signS3 } from '../sign-s3.ts'

// Creates the bucket of a compose project in its S3 store, unless it exists.
const bucket = setting('S3_BUCKET')
const url = new URL(`/${bucket}`, setting('S3_URL'))
const keys = { accessKey: setting('ROOT_ACCESS_KEY'), secretKey: setting('ROOT_SECRET_KEY') }
const headers = signS3({ method: 'PUT', url, now: new Date(), ...keys })
const answer = await fetch(url, { method: 'PUT', headers })
if (!answer.ok && answer.status !== 409)
  throw new Error(`${url.href} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`)
process.stdout.write(`create-bucket: ${bucket} exists\n`)
