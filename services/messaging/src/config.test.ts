import { createSecrets } from '@sumlock/deployment/secrets'
import { serviceEnvironment } from '@sumlock/deployment/service-environment'
import type { PortPlan } from '@sumlock/deployment/service-environment'
import { readConfig } from './config.ts'

const ports = Object.fromEntries(
  ['gateway', 'auth', 'messaging', 'billing', 'notify', 'realtime'].map((name) => [
    name,
    [{ public: 5000, internal: 6000 }],
  ]),
) as PortPlan
const local = serviceEnvironment('messaging', 0, {
  addresses: {
    mongoAdminUrl: 'mongodb://127.0.0.1:4040/admin',
    kafkaBrokers: '127.0.0.1:4041',
    kafkaAdminPassword: 'unused',
    redisUrl: 'redis://127.0.0.1:4043',
    s3Url: 'http://sumlock:secret@127.0.0.1:4045',
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

describe('the media bucket in the configuration of messaging', () => {
  it('is the one of the namespace, with 2 GB for a person and 20 GB with premium', () => {
    expect(readConfig(local)).toMatchObject({
      S3_ENDPOINT: 'http://127.0.0.1:4045',
      S3_BUCKET: 'sumlock-media',
      STORAGE_FREE_BYTES: 2_000_000_000,
      STORAGE_PREMIUM_BYTES: 20_000_000_000,
    })
  })

  it('may be at Amazon, which needs no endpoint', () => {
    const { S3_ENDPOINT: _store, ...amazon } = local
    expect(readConfig(amazon).S3_ENDPOINT).toBeUndefined()
  })

  it('is required, and no fault shows its secret', () => {
    const { S3_BUCKET: _bucket, ...without } = local
    const faulty = { ...without, S3_ENDPOINT: 's3:7070', STORAGE_FREE_BYTES: '-1' }
    expect(() => readConfig(faulty)).toThrow(
      /3 fault[^]*S3_ENDPOINT: must be an http\(s\) URL[^]*S3_BUCKET[^]*STORAGE_FREE_BYTES/,
    )
    expect(() => readConfig(faulty)).not.toThrow('secret')
  })
})

describe('the limits on what one person does to messages', () => {
  const most = {
    EDITS_AND_REACTIONS_PER_DAY: 300,
    UNSENDS_PER_DAY: 300,
    EDITS_PER_MESSAGE: 5,
    EDITS_PER_FREE_MESSAGE: 1,
  }

  it('have defaults, and can be lowered, in production too, and raised elsewhere', () => {
    expect(readConfig(local)).toMatchObject(most)
    expect(readConfig({ ...local, EDITS_PER_MESSAGE: '9' }).EDITS_PER_MESSAGE).toBe(9)
    const production = { ...local, SUMLOCK_MODE: 'production', INSECURE_NETWORK: 'accepted' }
    expect(readConfig({ ...production, UNSENDS_PER_DAY: '20' }).UNSENDS_PER_DAY).toBe(20)
  })

  it.each(Object.entries(most))('%s cannot be raised above %i in production', (name, value) => {
    const raised = { ...local, SUMLOCK_MODE: 'production', [name]: String(value + 1) }
    expect(() => readConfig(raised)).toThrow(`${name}: must be at most ${value} in production`)
  })
})
