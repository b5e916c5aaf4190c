import { ConfigError, hexKey, loadConfig } from '@sumlock/service-kit/config'
import { z } from 'zod'
import type { BucketSettings } from './bucket.ts'

/** Backups hold data that users have deleted since, so they are kept no longer than this. */
export const maxKeepDays = 90

const text = z.string().min(1)
const schema = z.object({
  BACKUP_FOLDER: text,
  BACKUP_KEY: hexKey,
  BACKUP_KEEP_DAYS: z.coerce.number().int().min(1).max(maxKeepDays).default(maxKeepDays),
  MONGO_URL_AUTH: text,
  MONGO_URL_MESSAGING: text,
  MONGO_URL_BILLING: text,
  MONGO_URL_NOTIFY: text,
  S3_ENDPOINT: z.url().optional(),
  S3_REGION: text.default('us-east-1'),
  S3_BUCKET: text.optional(),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  PIN_PEPPER: text.optional(),
  CODE_PEPPER: text.optional(),
})

/** Names of all settings. */
export const settingNames: readonly string[] = Object.keys(schema.shape)

/** Settings of both backup and restore. */
export type BackupSettings = ReturnType<typeof readSettings>

/** Reads the environment of a container or of a person's shell. Throws a ConfigError that names every fault. */
export function readSettings(env: NodeJS.ProcessEnv = process.env) {
  if (!env['BACKUP_KEY'])
    throw new ConfigError(
      'BACKUP_KEY is missing: backups hold personal data and are always encrypted. Set it to 32 bytes in hex (openssl rand -hex 32), and store it apart from the backups.',
    )
  const config = loadConfig(schema, env)
  const { PIN_PEPPER, CODE_PEPPER } = config
  return {
    folder: config.BACKUP_FOLDER,
    key: config.BACKUP_KEY as Buffer,
    keepDays: config.BACKUP_KEEP_DAYS,
    databaseUrls: {
      auth: config.MONGO_URL_AUTH,
      messaging: config.MONGO_URL_MESSAGING,
      billing: config.MONGO_URL_BILLING,
      notify: config.MONGO_URL_NOTIFY,
    },
    bucket: bucketOf(config),
    /** Of PINs and codes, to refuse a restore with other ones; empty when unknown here. */
    peppers: PIN_PEPPER && CODE_PEPPER ? [PIN_PEPPER, CODE_PEPPER] : [],
  }
}

function bucketOf(config: z.output<typeof schema>): BucketSettings | null {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_REGION: region } = config
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  if (bucket === undefined && endpoint === undefined) return null
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined)
    throw new ConfigError(
      'The media bucket is only partly configured: set S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or none of the S3 settings.',
    )
  return { bucket, endpoint, region, accessKeyId, secretAccessKey }
}
