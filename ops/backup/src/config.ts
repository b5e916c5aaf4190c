import { ConfigError, hexKey, loadConfig } from '@sumlock/service-kit/config'
import { s3Env } from '@sumlock/service-kit/s3-settings'
import type { S3Settings } from '@sumlock/service-kit/s3-settings'
import { z } from 'zod'

/**
 * A deleted account is erased from the live system within 30 days, and must be gone from the last backup 60 days
 * later.
 */
export const maxKeepDays = 60

const text = z.string().min(1)
const schema = z.object({
  BACKUP_FOLDER: text,
  BACKUP_KEY: hexKey,
  BACKUP_KEEP_DAYS: z.coerce.number().int().min(1).max(maxKeepDays).default(maxKeepDays),
  MONGO_URL_AUTH: text,
  MONGO_URL_MESSAGING: text,
  MONGO_URL_BILLING: text,
  MONGO_URL_NOTIFY: text,
  ...s3Env,
  S3_BUCKET: s3Env.S3_BUCKET.optional(),
  S3_ACCESS_KEY_ID: s3Env.S3_ACCESS_KEY_ID.optional(),
  S3_SECRET_ACCESS_KEY: s3Env.S3_SECRET_ACCESS_KEY.optional(),
  PIN_PEPPER: text.optional(),
  CODE_PEPPER: text.optional(),
})

export const settingNames: readonly string[] = Object.keys(schema.shape)

/** Backup and restore both use these settings. */
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
    /**
     * A restore compares these peppers of PINs and codes with those of the backup. The list is empty when they are
     * not set.
     */
    peppers: PIN_PEPPER && CODE_PEPPER ? [PIN_PEPPER, CODE_PEPPER] : [],
  }
}

function bucketOf(config: z.output<typeof schema>): S3Settings | null {
  const { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config
  if (S3_BUCKET === undefined && S3_ENDPOINT === undefined) return null
  if (S3_BUCKET === undefined || S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined)
    throw new ConfigError(
      'The media bucket is only partly configured: set S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or none of the S3 settings.',
    )
  return { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }
}
