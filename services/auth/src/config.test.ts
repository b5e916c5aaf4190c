import { ConfigError } from '@sumlock/service-kit/config'
import { readConfig } from './config.ts'

const key = 'ab'.repeat(32)
const environment = (changes: Record<string, string>) => ({
  ...{ SUMLOCK_MODE: 'production', INSTANCE: 'auth-1', PORT: '1', INTERNAL_PORT: '2' },
  TOKEN_PUBLIC_KEYS: JSON.stringify([{ kid: 'a', pem: 'PUBLIC KEY' }]),
  ...{ TOKEN_PRIVATE_KEY: 'PRIVATE KEY', TOKEN_KID: 'a', INTERNAL_SECRET: 'x'.repeat(32) },
  ...{ PIN_PEPPER: key, CODE_PEPPER: key, OUTBOX_KEY_SECRET: key, NOTICE_KEY: key, NOTICE_KEY_ID: 'a' },
  ...{ MONGO_URL: 'mongodb://127.0.0.1', REDIS_URL: 'redis://127.0.0.1', KAFKA_BROKERS: '127.0.0.1:1' },
  COOKIE_SECURE: 'true',
  ...changes,
})

describe('the cost of a hash', () => {
  it('is ten unless somebody says otherwise', () => {
    expect(readConfig(environment({})).BCRYPT_COST).toBe(10)
  })

  it.each(['production', 'local'])('cannot be less in mode %s', (mode) => {
    const read = () => readConfig(environment({ SUMLOCK_MODE: mode, BCRYPT_COST: '9' }))
    expect(read).toThrow(ConfigError)
    expect(read).toThrow('BCRYPT_COST: must be 10 or more outside of tests')
  })

  it('can be less in tests', () => {
    expect(readConfig(environment({ SUMLOCK_MODE: 'test', BCRYPT_COST: '4' })).BCRYPT_COST).toBe(4)
  })
})
