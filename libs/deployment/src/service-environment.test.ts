import { createSecrets } from './secrets.ts'
import { serviceEnvironment, serviceNames } from './service-environment.ts'
import type { PortPlan, ServiceName } from './service-environment.ts'

const secrets = createSecrets()
const ports = Object.fromEntries(
  serviceNames.map((name, index) => [name, [{ public: 5000 + index, internal: 6000 + index }]]),
) as PortPlan
const environmentOf = (service: ServiceName, mode: 'test' | 'local' = 'test', plan = ports) =>
  serviceEnvironment(service, 0, {
    addresses: {
      mongoAdminUrl: `mongodb://admin:${secrets.mongoAdminPassword}@127.0.0.1:4040/admin?replicaSet=rs0`,
      kafkaBrokers: '127.0.0.1:4041',
      kafkaAdminPassword: 'unused',
      redisUrl: 'redis://127.0.0.1:4043',
      s3Url: `http://sumlock:${secrets.s3SecretKey}@127.0.0.1:4045`,
      smtpUrl: 'smtp://127.0.0.1:4044',
      inboxUrl: 'http://127.0.0.1:4080',
    },
    secrets,
    ports: plan,
    namespace: 'sumlock',
    mode,
    publicOrigins: [],
    webRoot: '',
    logLevel: 'warn',
  })

describe('the environment of a service', () => {
  it.each(serviceNames)('of %s holds no password of the administrator or of another service', (service) => {
    const text = JSON.stringify(environmentOf(service))
    const foreign = serviceNames
      .filter((name) => name !== service)
      .flatMap((name) => [secrets.mongoPasswords[name], secrets.internalSecrets[name]])
    expect([secrets.mongoAdminPassword, ...foreign].filter((secret) => text.includes(secret))).toEqual([])
  })

  it('gives the signing key and the peppers only to auth', () => {
    const { pinPepper, codePepper, outboxKeySecret } = secrets
    const guarded = [pinPepper, codePepper, outboxKeySecret, JSON.stringify(secrets.tokenPrivateKey)]
    const holders = serviceNames.filter((service) => {
      const text = JSON.stringify(environmentOf(service))
      return guarded.some((secret) => text.includes(secret))
    })
    expect(holders).toEqual(['auth'])
  })

  it('gives the key of attached texts only to messaging', () => {
    const holders = serviceNames.filter((service) =>
      JSON.stringify(environmentOf(service)).includes(secrets.reportKey),
    )
    expect(holders).toEqual(['messaging'])
  })

  it('gives the bucket of the namespace and its key only to messaging', () => {
    expect(environmentOf('messaging')).toMatchObject({
      S3_ENDPOINT: 'http://127.0.0.1:4045',
      S3_BUCKET: 'sumlock-media',
      S3_ACCESS_KEY_ID: 'sumlock',
      S3_SECRET_ACCESS_KEY: secrets.s3SecretKey,
    })
    const holders = serviceNames.filter((service) =>
      JSON.stringify(environmentOf(service)).includes(secrets.s3SecretKey),
    )
    expect(holders).toEqual(['messaging'])
  })

  it('relaxes costs and limits in tests only', () => {
    expect(environmentOf('auth', 'local')).toMatchObject({ BCRYPT_COST: '10', SMS_PER_HOUR: '10000' })
    expect(environmentOf('auth', 'test')).toMatchObject({ BCRYPT_COST: '4', SMS_PER_HOUR: '100000' })
    for (const service of ['gateway', 'auth', 'realtime'] as const) {
      expect(environmentOf(service, 'local')).toMatchObject({ RATE_LIMITS: 'on' })
      expect(environmentOf(service, 'test')).toMatchObject({ RATE_LIMITS: 'off' })
    }
  })

  it('delays the end of an instance only when another one takes over its requests', () => {
    const instance = { public: 5000, internal: 6000 }
    const delayWith = (instances: number) =>
      environmentOf('auth', 'test', { ...ports, auth: Array.from({ length: instances }, () => instance) })
        .DRAIN_DELAY_MS
    expect(delayWith(1)).toBe('0')
    expect(delayWith(2)).toBe('500')
  })

  it('numbers the instances of a service from 1', () => {
    expect(environmentOf('billing').INSTANCE).toBe('billing-1')
  })

  it('gives the address of Kafka to every service but the gateway', () => {
    const users = serviceNames.filter((service) => 'KAFKA_BROKERS' in environmentOf(service))
    expect(users).toEqual(['auth', 'messaging', 'billing', 'notify', 'realtime'])
  })

  it.each(['gateway', 'auth', 'realtime'] as const)('lets %s use cookies without TLS', (service) => {
    expect(environmentOf(service, 'local').COOKIE_SECURE).toBe('false')
  })

  it('admits exactly the callers of each service', () => {
    const callersOf = (service: ServiceName) =>
      Object.keys(JSON.parse(environmentOf(service)['INTERNAL_CALLERS'] ?? '') as object)
    expect(callersOf('auth')).toEqual(['gateway', 'messaging', 'billing', 'notify', 'realtime'])
    expect(callersOf('messaging')).toEqual(['gateway', 'auth', 'realtime'])
    expect(callersOf('billing')).toEqual(['gateway', 'messaging'])
    expect(callersOf('notify')).toEqual([])
  })
})
