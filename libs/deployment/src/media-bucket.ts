import type { EngineAddresses } from './engine-addresses.ts'

/** Stores that we start ourselves have this user. Its secret is `s3SecretKey`. */
export const s3AccessKeyId = 'sumlock'

/** Returns the name of a namespace's bucket. S3 allows lower-case letters, digits and hyphens in it. */
export const mediaBucketName = (namespace: string): string => `${namespace}-media`

/** Returns the settings (`s3Env`) with which a process reaches the media bucket of a namespace. */
export function mediaBucketSettings({ s3Url }: Pick<EngineAddresses, 's3Url'>, namespace: string) {
  const { origin, username, password } = new URL(s3Url)
  return {
    S3_ENDPOINT: origin,
    S3_REGION: 'us-east-1',
    S3_BUCKET: mediaBucketName(namespace),
    S3_ACCESS_KEY_ID: username,
    S3_SECRET_ACCESS_KEY: password,
  }
}
