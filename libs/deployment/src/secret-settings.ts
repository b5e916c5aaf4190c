import { databaseOwners, databaseUrlName } from './provision.ts'

/**
 * These settings hold a secret in every deployment. They come from files or Secrets, never from a settings file in
 * git.
 */
export const secretSettings: ReadonlySet<string> = new Set([
  'MONGO_URL',
  'REDIS_URL',
  'REDIS_PUBLISH_URL',
  'INTERNAL_SECRET',
  'INTERNAL_CALLERS',
  'TOKEN_PUBLIC_KEYS',
  'TOKEN_PRIVATE_KEY',
  'TOKEN_KID',
  'PIN_PEPPER',
  'CODE_PEPPER',
  'OUTBOX_KEY_SECRET',
  'KEY_SHARE_SECRETS',
  'CSRF_SECRET',
  'NOTICE_KEY',
  'NOTICE_KEY_ID',
  'NOTICE_KEYS',
  'GIFT_CODE_KEYS',
  'GIFT_CODE_KEY_ID',
  'GIFT_HASH_KEY',
  'REPORT_KEYS',
  'APP_STORE',
  'GOOGLE_PLAY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRETS',
  'KAFKA_USERNAME',
  'KAFKA_PASSWORD',
  'TWILIO_ACCOUNT_SID',
  'TWILIO_API_KEY',
  'TWILIO_API_SECRET',
  'BACKUP_KEY',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  ...databaseOwners.map(databaseUrlName),
])
