import { ConfigError } from '@sumlock/service-kit/config'
import { readConfig } from './config.ts'

const url = 'http://127.0.0.1:1'
const secret = 'x'.repeat(32)
const environment = (changes: Record<string, string>) => ({
  SUMLOCK_MODE: 'production',
  INSTANCE: 'gateway-1',
  INSECURE_NETWORK: 'accepted',
  PORT: '1',
  INTERNAL_PORT: '2',
  TOKEN_PUBLIC_KEYS: JSON.stringify([{ kid: 'a', pem: 'PUBLIC KEY' }]),
  INTERNAL_SECRET: secret,
  CSRF_SECRET: secret,
  REDIS_URL: 'redis://sumlock_gateway:secret@127.0.0.1',
  PUBLIC_ORIGINS: url,
  AUTH_URL: url,
  MESSAGING_URL: url,
  BILLING_URL: url,
  NOTIFY_URL: url,
  REALTIME_URL: url,
  AUTH_INTERNAL_URL: url,
  MESSAGING_INTERNAL_URL: url,
  BILLING_INTERNAL_URL: url,
  COOKIE_SECURE: 'true',
  CONTACT_SUPPORT: 'help@operator.org',
  CONTACT_PRIVACY: 'privacy@operator.org',
  CONTACT_LEGAL: 'legal@operator.org',
  ...changes,
})

describe('the rate limits', () => {
  it('are on by default', () => {
    expect(readConfig(environment({})).RATE_LIMITS).toBe('on')
  })

  it('cannot be turned off in production', () => {
    const read = () => readConfig(environment({ RATE_LIMITS: 'off' }))
    expect(read).toThrow(ConfigError)
    expect(read).toThrow('RATE_LIMITS: must be on in production')
  })

  it('can be turned off in local mode, for a load test', () => {
    expect(readConfig(environment({ SUMLOCK_MODE: 'local', RATE_LIMITS: 'off' })).RATE_LIMITS).toBe('off')
  })
})

describe('the addresses of the operator', () => {
  it.each(['CONTACT_SUPPORT', 'CONTACT_PRIVACY', 'CONTACT_LEGAL'])(
    '%s has to be given in production',
    (name) => {
      for (const missing of ['', 'support@calculator.example'])
        expect(() => readConfig(environment({ [name]: missing }))).toThrow(
          `${name}: must be an address in production, where people reach you`,
        )
      expect(() => readConfig(environment({ [name]: 'nobody' }))).toThrow(name)
    },
  )

  it('are of a reserved domain elsewhere', () => {
    const { CONTACT_LEGAL } = readConfig(environment({ SUMLOCK_MODE: 'local', CONTACT_LEGAL: '' }))
    expect(CONTACT_LEGAL).toBe('legal@calculator.example')
  })
})
