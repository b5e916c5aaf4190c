import { ConfigError, hexKey, loadConfig } from '@sumlock/service-kit/config'
import { z } from 'zod'
import type { BucketSettings } from './bucket.ts'
import type { DatabaseOwner } from './manifest.ts'

/** Settings of both backup and restore. */
export interface BackupSettings {
  /** Folder of the backups. */
  folder: string
  key: Buffer
  databaseUrls: Readonly<Record<DatabaseOwner, string>>
  bucket: BucketSettings | null
  /** Of PINs and codes, to refuse a restore with other ones; empty when unknown here. */
  peppers: readonly string[]
  version: string
  keepDays?: number
}

const text = z.string().min(1)
const schema = z.object({
  BACKUP_FOLDER: text,
  BACKUP_KEY: hexKey,
  BACKUP_KEEP_DAYS: z.coerce.number().int().min(1).max(90).default(90),
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

/** Reads the environment of a container or of a person's shell. Throws a ConfigError that names every fault. */
export function readSettings(env: NodeJS.ProcessEnv, version: string): BackupSettings {
  if (!env['BACKUP_KEY'])
    throw new ConfigError(
      'BACKUP_KEY is missing: backups hold personal data and are always encrypted. Set it to 32 bytes in hex (openssl rand -hex 32), and store it apart from the backups.',
    )
  const config = loadConfig(schema, env)
  return {
    folder: config.BACKUP_FOLDER,
    key: config.BACKUP_KEY,
    keepDays: config.BACKUP_KEEP_DAYS,
    version,
    databaseUrls: {
      auth: config.MONGO_URL_AUTH,
      messaging: config.MONGO_URL_MESSAGING,
      billing: config.MONGO_URL_BILLING,
      notify: config.MONGO_URL_NOTIFY,
    },
    bucket: bucketOf(config),
    peppers: config.PIN_PEPPER && config.CODE_PEPPER ? [config.PIN_PEPPER, config.CODE_PEPPER] : [],
  }
}

function bucketOf(config: z.output<typeof schema>): BucketSettings | null {
  const { S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_ENDPOINT, S3_REGION } = config
  if (S3_BUCKET === undefined && S3_ENDPOINT === undefined) return null
  if (S3_BUCKET === undefined || S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined)
    throw new ConfigError(
      'The media bucket is only partly configured: set S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or none of the S3 settings.',
    )
  return {
    bucket: S3_BUCKET,
    endpoint: S3_ENDPOINT,
    region: S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  }
}
