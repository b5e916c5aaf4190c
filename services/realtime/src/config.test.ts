import { ConfigError } from '@sumlock/service-kit/config'
import { readConfig } from './config.ts'

const url = 'http://127.0.0.1:1'
const environment = (changes: Record<string, string>) => ({
  ...{ SUMLOCK_MODE: 'production', INSTANCE: 'realtime-1', PORT: '1', INTERNAL_PORT: '2' },
  TOKEN_PUBLIC_KEYS: JSON.stringify([{ kid: 'a', pem: 'PUBLIC KEY' }]),
  ...{ INTERNAL_SECRET: 'x'.repeat(32), PUBLIC_ORIGINS: url, COOKIE_SECURE: 'true' },
  ...{ REDIS_URL: 'redis://127.0.0.1', KAFKA_BROKERS: '127.0.0.1:1' },
  ...{ AUTH_INTERNAL_URL: url, MESSAGING_INTERNAL_URL: url },
  ...changes,
})

describe('the cookie of a session', () => {
  it('is asked for by its secure name in production', () => {
    expect(readConfig(environment({})).COOKIE_SECURE).toBe(true)
    const read = () => readConfig(environment({ COOKIE_SECURE: 'false' }))
    expect(read).toThrow(ConfigError)
    expect(read).toThrow('COOKIE_SECURE: must be true in production')
  })

  it('may go over an open line on one’s own machine', () => {
    const env = environment({ SUMLOCK_MODE: 'local', COOKIE_SECURE: 'false' })
    expect(readConfig(env).COOKIE_SECURE).toBe(false)
  })
})
