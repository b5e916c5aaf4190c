import { ConfigError } from '@sumlock/service-kit/config'
import { readConfig } from './config.ts'

const key = 'ab'.repeat(32)
const environment = (changes: Record<string, string>) => ({
  SUMLOCK_MODE: 'production',
  INSTANCE: 'auth-1',
  INSECURE_NETWORK: 'accepted',
  PORT: '1',
  INTERNAL_PORT: '2',
  TOKEN_PUBLIC_KEYS: JSON.stringify([{ kid: 'a', pem: 'PUBLIC KEY' }]),
  TOKEN_PRIVATE_KEY: 'PRIVATE KEY',
  TOKEN_KID: 'a',
  INTERNAL_SECRET: 'x'.repeat(32),
  PIN_PEPPER: key,
  CODE_PEPPER: key,
  OUTBOX_KEY_SECRET: key,
  KEY_SHARE_SECRETS: JSON.stringify([{ id: 'a', secret: key }]),
  NOTICE_KEY: key,
  NOTICE_KEY_ID: 'a',
  MONGO_URL: 'mongodb://127.0.0.1',
  REDIS_URL: 'redis://sumlock_auth:secret@127.0.0.1',
  MESSAGING_INTERNAL_URL: 'http://127.0.0.1:1',
  KAFKA_BROKERS: '127.0.0.1:1',
  KAFKA_USERNAME: 'sumlock_auth',
  KAFKA_PASSWORD: 'secret',
  COOKIE_SECURE: 'true',
  PUBLIC_ORIGINS: 'http://localhost:8080',
  SMS_COUNTRIES: 'DE,AT',
  ...changes,
})

describe('BCRYPT_COST', () => {
  it('is ten by default', () => {
    expect(readConfig(environment({})).BCRYPT_COST).toBe(10)
  })

  it.each(['production', 'local'])('cannot be lower than ten in mode %s', (mode) => {
    const read = () => readConfig(environment({ SUMLOCK_MODE: mode, BCRYPT_COST: '9' }))
    expect(read).toThrow(ConfigError)
    expect(read).toThrow('BCRYPT_COST: must be 10 or more outside of tests')
  })

  it('can be lower than ten in tests', () => {
    expect(readConfig(environment({ SUMLOCK_MODE: 'test', BCRYPT_COST: '4' })).BCRYPT_COST).toBe(4)
  })
})

describe('SHOW_PHONE_CODE', () => {
  const local = (changes: Record<string, string>) =>
    environment({ SUMLOCK_MODE: 'local', COOKIE_SECURE: 'false', ...changes })

  it('is off in production and on elsewhere by default, and can be turned off', () => {
    expect(readConfig(environment({})).SHOW_PHONE_CODE).toBe('off')
    expect(readConfig(local({})).SHOW_PHONE_CODE).toBe('on')
    expect(readConfig(local({ SHOW_PHONE_CODE: 'off' })).SHOW_PHONE_CODE).toBe('off')
  })

  it('cannot be turned on in production', () => {
    expect(() => readConfig(environment({ SHOW_PHONE_CODE: 'on' }))).toThrow(
      'SHOW_PHONE_CODE: must be off in production',
    )
  })

  it('must be off, and the error says so, when another machine can reach the product', () => {
    const PUBLIC_ORIGINS = 'http://localhost:8080, https://chat.example.com'
    expect(() => readConfig(local({ PUBLIC_ORIGINS }))).toThrow(
      /SHOW_PHONE_CODE: must be off while PUBLIC_ORIGINS names https:\/\/chat\.example\.com.*set SHOW_PHONE_CODE=off/,
    )
    expect(readConfig(local({ PUBLIC_ORIGINS, SHOW_PHONE_CODE: 'off' })).SHOW_PHONE_CODE).toBe('off')
    expect(readConfig(local({ PUBLIC_ORIGINS: 'http://localhost:8080' })).SHOW_PHONE_CODE).toBe('on')
  })
})

it('production does not start with an engine without TLS, unless the network is accepted', () => {
  const refused = () => readConfig(environment({ INSECURE_NETWORK: 'refused' }))
  for (const name of ['MONGO_URL', 'REDIS_URL', 'KAFKA_TLS'])
    expect(refused).toThrow(`${name}: needs TLS in production`)
})

describe('SMS_COUNTRIES', () => {
  it('names the countries that get codes, which production has to name', () => {
    expect(readConfig(environment({ SMS_COUNTRIES: 'DE, GB' })).SMS_COUNTRIES).toEqual(['DE', 'GB'])
    for (const SMS_COUNTRIES of ['', ' , '])
      expect(() => readConfig(environment({ SMS_COUNTRIES }))).toThrow(
        'SMS_COUNTRIES: must name the countries that get codes in production',
      )
  })

  it.each(['Germany', '+49', 'XX', 'de'])('refuses %s, which is no ISO code', (SMS_COUNTRIES) => {
    expect(() => readConfig(environment({ SMS_COUNTRIES }))).toThrow('must be ISO codes of countries')
  })

  it('is all countries outside of production when it names none', () => {
    const local = environment({ SUMLOCK_MODE: 'local', COOKIE_SECURE: 'false', SMS_COUNTRIES: '' })
    expect(readConfig(local).SMS_COUNTRIES).toBeUndefined()
  })
})

describe('PUBLIC_ORIGINS', () => {
  it('has to name the origin that links in mails lead to', () => {
    for (const PUBLIC_ORIGINS of ['', ' , ', 'calculator.example.com'])
      expect(() => readConfig(environment({ PUBLIC_ORIGINS }))).toThrow('PUBLIC_ORIGINS')
    const PUBLIC_ORIGINS = 'https://calculator.example.com, https://second.example.com'
    expect(readConfig(environment({ PUBLIC_ORIGINS })).PUBLIC_ORIGINS).toEqual([
      'https://calculator.example.com',
      'https://second.example.com',
    ])
  })
})
