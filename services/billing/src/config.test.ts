import { ConfigError } from '@sumlock/service-kit/config'
import { readConfig } from './config.ts'

const url = 'http://127.0.0.1:1'
const key = 'ab'.repeat(32)
const environment = (changes: Record<string, string>) => ({
  SUMLOCK_MODE: 'local',
  INSTANCE: 'billing-1',
  INSECURE_NETWORK: 'accepted',
  PORT: '1',
  INTERNAL_PORT: '2',
  TOKEN_PUBLIC_KEYS: JSON.stringify([{ kid: 'a', pem: 'PUBLIC KEY' }]),
  INTERNAL_SECRET: 'x'.repeat(32),
  INTERNAL_CALLERS: '{}',
  MONGO_URL: 'mongodb://127.0.0.1',
  KAFKA_BROKERS: '127.0.0.1:1',
  KAFKA_USERNAME: 'sumlock_billing',
  KAFKA_PASSWORD: 'secret',
  AUTH_INTERNAL_URL: url,
  PUBLIC_ORIGINS: 'http://localhost:8080',
  NOTICE_KEY: key,
  NOTICE_KEY_ID: 'billing-1',
  GIFT_CODE_KEYS: JSON.stringify({ one: key }),
  GIFT_CODE_KEY_ID: 'one',
  GIFT_HASH_KEY: key,
  PAYMENTS: 'none',
  ...changes,
})
const read = (changes: Record<string, string>) => readConfig(environment(changes))
const faultsOf = (changes: Record<string, string>): string => {
  try {
    read(changes)
    return ''
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

const production = { SUMLOCK_MODE: 'production', PUBLIC_ORIGINS: 'https://calculator.example' }
const stripe = { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRETS: 'whsec_1' }
const appStore = {
  bundleId: 'com.example.calculator',
  appAppleId: 1,
  issuerId: 'issuer',
  keyId: 'key',
  privateKey: 'PRIVATE KEY',
  environment: 'Production',
  rootCertificates: ['AAAA'],
}
const googlePlay = {
  packageName: 'com.example.calculator',
  clientEmail: 'account@example.com',
  privateKey: 'PRIVATE KEY',
  pushAudience: 'audience',
  pushEmail: 'push@example.com',
}

describe('payments in the sandbox', () => {
  const sandbox = { PAYMENTS: 'sandbox' }

  it('are accepted on this machine', () => {
    expect(read(sandbox).PAYMENTS).toBe('sandbox')
    expect(read({ ...sandbox, PUBLIC_ORIGINS: 'http://127.0.0.1:1, http://[::1]:1' }).PAYMENTS).toBe(
      'sandbox',
    )
  })

  it('are refused in production, also on this machine', () => {
    expect(faultsOf({ ...sandbox, SUMLOCK_MODE: 'production' })).toContain(
      'PAYMENTS: must not be sandbox in production',
    )
  })

  it.each(['https://calculator.example', 'http://192.168.1.2:8080', 'http://localhost.example'])(
    'are refused where others can reach the product: %s',
    (origin) => {
      const faults = faultsOf({ ...sandbox, PUBLIC_ORIGINS: `http://localhost:1,${origin}` })
      expect(faults).toContain(`PAYMENTS: must not be sandbox where others can reach it (${origin})`)
    },
  )
})

describe('payments at Stripe', () => {
  it('are accepted in production, and need the secret key and that of the webhook', () => {
    expect(read({ ...production, ...stripe }).STRIPE_URL).toBe('https://api.stripe.com')
    const faults = faultsOf({ ...production, PAYMENTS: 'stripe' })
    expect(faults).toContain('STRIPE_SECRET_KEY: is needed with PAYMENTS=stripe')
    expect(faults).toContain('STRIPE_WEBHOOK_SECRETS: is needed with PAYMENTS=stripe')
  })

  it('are refused at another address in production', () => {
    const elsewhere = { ...stripe, STRIPE_URL: url }
    expect(read(elsewhere).STRIPE_URL).toBe(url)
    expect(faultsOf({ ...production, ...elsewhere })).toContain(
      'STRIPE_URL: must be that of Stripe in production',
    )
  })
})

describe('the stores', () => {
  const stores = (apple: object, google: object = googlePlay) => ({
    APP_STORE: JSON.stringify(apple),
    GOOGLE_PLAY: JSON.stringify(google),
  })

  it('may be left out, or left empty', () => {
    expect(read({ ...production, APP_STORE: '', GOOGLE_PLAY: '' })).toMatchObject({
      APP_STORE: undefined,
      GOOGLE_PLAY: undefined,
    })
    expect(read({ ...production, ...stores(appStore) }).APP_STORE?.appAppleId).toBe(1)
  })

  it('are refused with Apple’s sandbox in production', () => {
    const sandbox = stores({ ...appStore, environment: 'Sandbox' })
    expect(read(sandbox).APP_STORE?.environment).toBe('Sandbox')
    expect(faultsOf({ ...production, ...sandbox })).toContain(
      'APP_STORE: must not be the sandbox in production',
    )
  })

  it('need the app’s id for Apple’s production', () => {
    const { appAppleId: _id, ...incomplete } = appStore
    expect(faultsOf(stores(incomplete))).toContain('APP_STORE: needs appAppleId for Production')
  })

  it.each([
    stores({ ...appStore, apiUrl: url }),
    ...['apiUrl', 'tokenUrl', 'certsUrl'].map((name) => stores(appStore, { ...googlePlay, [name]: url })),
  ])('are refused at another address in production: %#', (elsewhere) => {
    expect(faultsOf(elsewhere)).toBe('')
    expect(faultsOf({ ...production, ...elsewhere })).toContain(
      'must ask the stores themselves in production',
    )
  })
})

it('names a key of gift codes that exists', () => {
  expect(faultsOf({ GIFT_CODE_KEY_ID: 'two' })).toContain('GIFT_CODE_KEY_ID: is not in GIFT_CODE_KEYS')
})
