import { createSecrets } from '@sumlock/deployment/secrets'
import { serviceEnvironment } from '@sumlock/deployment/service-environment'
import type { PortPlan } from '@sumlock/deployment/service-environment'
import { needsTls, readConfig } from './config.ts'

const ports = Object.fromEntries(
  ['gateway', 'auth', 'messaging', 'billing', 'notify', 'realtime'].map((name) => [
    name,
    [{ public: 5000, internal: 6000 }],
  ]),
) as PortPlan
const local = serviceEnvironment('notify', 0, {
  addresses: {
    mongoAdminUrl: 'mongodb://127.0.0.1:4040/admin',
    kafkaBrokers: '127.0.0.1:4041',
    kafkaAdminPassword: 'unused',
    redisUrl: 'redis://127.0.0.1:4043',
    s3Url: 'http://127.0.0.1:4045',
    smtpUrl: 'smtp://127.0.0.1:4044',
    inboxUrl: 'http://127.0.0.1:4080',
  },
  secrets: createSecrets(),
  ports,
  namespace: 'sumlock',
  mode: 'local',
  publicOrigins: [],
  webRoot: '',
  logLevel: 'warn',
})
const account = {
  SMS_VIA: 'twilio',
  SMS_FROM: '+15005550006',
  TWILIO_ACCOUNT_SID: `AC${'0a'.repeat(16)}`,
  TWILIO_API_KEY: `SK${'0a'.repeat(16)}`,
  TWILIO_API_SECRET: 'secret',
}
const production = {
  ...local,
  SUMLOCK_MODE: 'production',
  INSECURE_NETWORK: 'accepted',
  CONTACT_SUPPORT: 'help@operator.org',
}

describe('the mail server', () => {
  const needed = (settings: Record<string, string>) =>
    needsTls(readConfig({ ...production, ...account, ...settings }))

  it.each([
    ['a password is sent to it', { SMTP_URL: 'smtp://u:p@mail.example.com:587' }],
    [
      'its network is not accepted',
      { INSECURE_NETWORK: 'refused', MONGO_URL: 'mongodb://a/?tls=true', KAFKA_TLS: 'on' },
    ],
  ])('has to speak TLS in production when %s', (_when, settings) => {
    expect(needed(settings)).toBe(true)
  })

  it('may speak without TLS where the network is accepted and no password is sent, and on one’s own machine', () => {
    expect(needed({})).toBe(false)
    expect(needsTls(readConfig(local))).toBe(false)
  })
})

it.each(['requireTLS=false', 'tls.rejectUnauthorized=false'])(
  'a mail server’s address has no options: %s would win over the demand for TLS',
  (option) => {
    const SMTP_URL = `smtp://u:p@mail.example.com:587?${option}`
    expect(() => readConfig({ ...production, ...account, SMTP_URL })).toThrow(
      'SMTP_URL: must have no options',
    )
  },
)

it('production does not send mail to the inbox, whose page shows every link', () => {
  expect(() => readConfig({ ...production, ...account, SMTP_URL: 'smtp://inbox:1025' })).toThrow(
    'SMTP_URL: must not be the inbox in production',
  )
})

describe('the configuration of SMS', () => {
  it('is the inbox on a person’s own machine, and never in production', () => {
    expect(readConfig(local).SMS_VIA).toBe('inbox')
    expect(() => readConfig(production)).toThrow('SMS_VIA: must not be inbox in production')
  })

  it('needs every setting of the account', () => {
    expect(() => readConfig({ ...local, SMS_VIA: 'twilio' })).toThrow(
      /4 fault[^]*SMS_FROM: is needed[^]*TWILIO_ACCOUNT_SID[^]*TWILIO_API_KEY[^]*TWILIO_API_SECRET/,
    )
    expect(readConfig({ ...production, ...account }).TWILIO_URL).toBe('https://api.twilio.com')
  })

  it.each([
    'http://api.twilio.com',
    'https://api.twilio.com.example.com',
    'https://example.com/api.twilio.com',
    'https://api.twilio.com@example.com',
    'https://api.twilio.com:8443',
    'http://127.0.0.1:4000',
  ])('refuses %s as the address of the provider in production', (url) => {
    expect(() => readConfig({ ...production, ...account, TWILIO_URL: url })).toThrow(
      'TWILIO_URL: must be the https address of Twilio',
    )
  })

  it('accepts a region’s address of the provider in production, and a test server elsewhere', () => {
    const TWILIO_URL = 'https://api.dublin.ie1.twilio.com'
    expect(readConfig({ ...production, ...account, TWILIO_URL })).toMatchObject({ TWILIO_URL })
    expect(readConfig({ ...local, ...account, TWILIO_URL: 'http://127.0.0.1:4000' })).toMatchObject({
      SMS_VIA: 'twilio',
    })
  })
})
