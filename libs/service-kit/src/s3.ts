import { S3Client } from '@aws-sdk/client-s3'
import type { S3Settings } from './s3-settings.ts'

const nothing = () => undefined
/** By default the client prints warnings outside the service's log. Its callers receive the errors. */
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }

const connectTimeoutMs = 1000
const idleTimeoutMs = 15_000
/** Each slow download keeps a socket, and the client's own limit is 50. */
const maxSockets = 512

/**
 * Returns a client for the S3 store. A request fails after 1 s without a connection, and after 15 s without a byte,
 * also when the caller reads the answer slowly. A request whose body is no stream is tried twice. The whole upload
 * has no limit; a caller that needs one passes `requestTimeout` in ms, or an `abortSignal`, to `send`.
 */
export function createS3Client(settings: Omit<S3Settings, 'S3_BUCKET'>): S3Client {
  const { S3_ENDPOINT: endpoint, S3_REGION: region } = settings
  return new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    credentials: { accessKeyId: settings.S3_ACCESS_KEY_ID, secretAccessKey: settings.S3_SECRET_ACCESS_KEY },
    // By default the client adds checksum trailers, to which stores other than Amazon's answer 501.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 2,
    logger: silent,
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      socketTimeout: idleTimeoutMs,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
      // Without this, a `requestTimeout` only warns.
      throwOnRequestTimeout: true,
    },
  })
}
