import { readSettings } from './config.ts'

const complete = {
  BACKUP_FOLDER: '/backups',
  BACKUP_KEY: 'ab'.repeat(32),
  MONGO_URL_AUTH: 'mongodb://a/auth',
  MONGO_URL_MESSAGING: 'mongodb://a/messaging',
  MONGO_URL_BILLING: 'mongodb://a/billing',
  MONGO_URL_NOTIFY: 'mongodb://a/notify',
}
const s3 = { S3_BUCKET: 'media', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }

it('names the missing key before any other missing setting, and says how to make one', () => {
  expect(() => readSettings({})).toThrow(/BACKUP_KEY is missing: .*openssl rand -hex 32/)
})

it('names every missing setting at once and shows no value', () => {
  const read = () => readSettings({ BACKUP_KEY: 'not hex, and secret' })
  expect(read).toThrow(/BACKUP_FOLDER[^]*BACKUP_KEY: must be 32 bytes in hex[^]*MONGO_URL_NOTIFY/)
  expect(read).not.toThrow(/and secret/)
})

/** The data of a deleted account are purged within this many days: `legal-documents`, `docs/backup.md`. */
const purgeDays = 30

it('keeps backups so long that nothing of a deleted account is left after 90 days', () => {
  expect(readSettings(complete).keepDays + purgeDays).toBe(90)
  expect(readSettings({ ...complete, BACKUP_KEEP_DAYS: '30' }).keepDays).toBe(30)
  expect(() => readSettings({ ...complete, BACKUP_KEEP_DAYS: '61' })).toThrow(/BACKUP_KEEP_DAYS/)
})

it('configures no bucket without S3 settings, and refuses incomplete ones', () => {
  expect(readSettings(complete).bucket).toBeNull()
  expect(readSettings({ ...complete, ...s3 }).bucket).toMatchObject({
    S3_BUCKET: 'media',
    S3_REGION: 'us-east-1',
  })
  for (const name of Object.keys(s3))
    expect(() => readSettings({ ...complete, ...s3, S3_ENDPOINT: 'http://s3', [name]: undefined })).toThrow(
      /only partly configured/,
    )
})

it('gives the peppers of PINs and codes only when both are set', () => {
  const peppers = { PIN_PEPPER: 'of PINs', CODE_PEPPER: 'of codes' }
  expect(readSettings({ ...complete, ...peppers }).peppers).toEqual(['of PINs', 'of codes'])
  for (const name of Object.keys(peppers))
    expect(readSettings({ ...complete, ...peppers, [name]: undefined }).peppers).toEqual([])
})
