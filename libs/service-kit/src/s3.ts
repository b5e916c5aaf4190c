import { S3Client } from '@aws-sdk/client-s3'
import type { S3Settings } from './s3-settings.ts'

const nothing = () => undefined
/** The client would print warnings outside the log of a service. Its callers get the errors. */
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }

const connectTimeoutMs = 1000
const idleTimeoutMs = 15_000
/** The client's own limit is 50, and each slow download keeps one. */
const maxSockets = 512

/**
 * A client for the store of the settings. A request fails after 1 s without a connection and after 15 s without a
 * byte, even if only the answer is read slowly; one whose body is no stream is then tried once more. Long uploads have time; a
 * caller that needs an answer sooner passes `requestTimeout` in ms, or an `abortSignal`, to `send`.
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
