import type { EngineAddresses } from './engine-addresses.ts'

/** The user of the stores that the product brings along; its secret is `s3SecretKey`. */
export const s3AccessKeyId = 'sumlock'

/** The bucket of a namespace. S3 allows lower-case letters, digits and hyphens in its name. */
export const mediaBucketName = (namespace: string): string => `${namespace}-media`

/** Every setting by which a process reaches the media bucket of a namespace; see `s3Env`. */
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
