import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { readSettings as readBackup, settingNames as backupSettings } from '@sumlock/backup/config'
import { kafkaServices, kafkaUser } from '@sumlock/deployment/kafka-users'
import { redisUsers } from '@sumlock/deployment/redis-users'
import { secretSettings } from '@sumlock/deployment/secret-settings'
import { environmentFile, secretEnvironment, secretFiles } from '@sumlock/jobs/secret-files'
import { repoRoot } from '@sumlock/dev/config'
import { databaseOwners, databaseUrlName } from '@sumlock/deployment/provision'
import { createSecrets } from '@sumlock/deployment/secrets'
import { serviceNames } from '@sumlock/deployment/service-environment'
import type { ServiceName } from '@sumlock/deployment/service-environment'
import { readConfig as auth } from '../../../services/auth/src/config.ts'
import { readConfig as billing } from '../../../services/billing/src/config.ts'
import { readConfig as gateway } from '../../../services/gateway/src/config.ts'
import { readConfig as messaging } from '../../../services/messaging/src/config.ts'
import { readConfig as notify } from '../../../services/notify/src/config.ts'
import { readConfig as realtime } from '../../../services/realtime/src/config.ts'
import { composeText, readCompose } from './compose-file.ts'
import { imageEnvironment, lastStageOf } from './dockerfile.ts'

/** Programs that read a file with their own secrets. */
type Reader = ServiceName | 'backup' | 'migrate'
const readers = { auth, billing, gateway, messaging, notify, realtime }
const { services } = readCompose()
const names = { namespace: 'sumlock', mongo: 'mongo:27017', redis: 'redis:6379' }
const secrets = createSecrets()
const files = secretFiles(secrets, names)
const image = imageEnvironment('ops/images/service.Dockerfile')
const written = (name: string) =>
  Object.fromEntries(
    Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [key, String(value)]),
  )
const fileOf = (service: Reader) => parseEnv(files[`${service}/service.env`] ?? '')
/** The environment of the process: settings of the container win over those in its file of secrets. */
const environmentOf = (service: Reader, container: string = service) => ({
  ...fileOf(service),
  ...image,
  ...written(container),
})

/** Every `host:port` in a setting; hosts with dots are outside of the compose project. */
const addressesIn = (value: string | undefined) =>
  [...String(value).matchAll(/(?:\/\/(?:[^@/]*@)?|^)([a-z]\w*):(\d+)(?=[/,?]|$)/g)].map(
    ([, host = '', port = '']) => ({ host, port }),
  )

/** The settings that an operator writes into sms.env and the shell. */
const smsAccount = {
  SMS_VIA: 'twilio',
  SMS_FROM: '+15005550006',
  TWILIO_ACCOUNT_SID: `AC${'0a'.repeat(16)}`,
  TWILIO_API_KEY: `SK${'0a'.repeat(16)}`,
  TWILIO_API_SECRET: 'of ours',
}

describe('settings in docker-compose.yml', () => {
  it.each(serviceNames)('are accepted by the config of %s', (service) => {
    expect(readers[service](environmentOf(service))).toMatchObject({ PORT: 8080, INTERNAL_PORT: 8081 })
  })

  it.each(serviceNames)('let %s run in production behind TLS', (service) => {
    const production = { SUMLOCK_MODE: 'production', SHOW_PHONE_CODE: 'off', COOKIE_SECURE: 'true' }
    const countries = { SMS_COUNTRIES: 'DE,AT' }
    const origin = { PUBLIC_ORIGINS: 'https://calculator.example.com', PAYMENTS: 'none' }
    const contacts = Object.fromEntries(
      ['SUPPORT', 'PRIVACY', 'LEGAL'].map((task) => [`CONTACT_${task}`, 'somebody@operator.org']),
    )
    const sms = service === 'notify' ? { ...smsAccount, SMTP_URL: 'smtps://u:p@mail.example.com' } : {}
    const own = { ...written(service), ...sms }
    const changed = Object.entries({ ...production, ...countries, ...contacts, ...origin, ...sms }).filter(
      ([name]) => name in own,
    )
    expect(readers[service]({ ...environmentOf(service), ...Object.fromEntries(changed) })).toMatchObject({
      SUMLOCK_MODE: 'production',
    })
  })

  it.each([
    ...kafkaServices.map((service) => [service, 'KAFKA_USERNAME'] as const),
    ...redisUsers(names.namespace).map(({ service, setting }) => [service, setting] as const),
  ])('do not let %s run in production without its own user in %s', (service, setting) => {
    const own = environmentOf(service)
    const { host } = new URL(setting === 'KAFKA_USERNAME' ? 'redis://unused' : (own[setting] ?? ''))
    const without = setting === 'KAFKA_USERNAME' ? '' : `redis://:secret@${host}`
    expect(() => readers[service]({ ...own, SUMLOCK_MODE: 'production', [setting]: without })).toThrow(
      `${setting}: production needs a user of the service's own`,
    )
  })

  it('give the engines the users that the services have', () => {
    for (const service of kafkaServices) {
      const { KAFKA_USERNAME: user, KAFKA_PASSWORD: password } = environmentOf(service)
      expect(user).toBe(kafkaUser(service))
      expect(files['kafka/users.properties']).toContain(`user_${user}="${password}"`)
    }
    for (const { name, service, setting } of redisUsers(names.namespace)) {
      const { username, password } = new URL(environmentOf(service)[setting] ?? '')
      expect(username).toBe(name)
      expect(files['redis/redis.conf']).toContain(`user ${name} reset resetchannels on >${password} `)
    }
    expect(written('create-topics')['KAFKA_ACLS']).toBe('on')
  })

  it('give the migration job the database address of every service and nothing else', () => {
    expect(fileOf('migrate')).toEqual(
      Object.fromEntries(databaseOwners.map((owner) => [databaseUrlName(owner), fileOf(owner)['MONGO_URL']])),
    )
    expect(written('migrate')).toEqual({})
  })

  it('are accepted by the backup, which knows each of them', () => {
    const { databaseUrls, bucket, folder } = readBackup(environmentOf('backup'))
    expect(folder).toBe('/backups')
    for (const [owner, url] of Object.entries(databaseUrls))
      expect(url).toBe(fileOf(owner as ServiceName)['MONGO_URL'])
    expect(bucket).toMatchObject({
      S3_ENDPOINT: 'http://s3:7070',
      S3_BUCKET: written('create-bucket')['S3_BUCKET'],
    })
    expect(messaging(environmentOf('messaging'))).toMatchObject(bucket ?? {})
    expect(files['s3/s3.env']).toBe(
      `ROOT_ACCESS_KEY=${bucket?.S3_ACCESS_KEY_ID}\nROOT_SECRET_KEY=${bucket?.S3_SECRET_ACCESS_KEY}\n`,
    )
    const given = Object.keys({ ...fileOf('backup'), ...written('backup') })
    expect(given.filter((name) => !backupSettings.includes(name))).toEqual([])
  })

  it('name ports at which the other service listens', () => {
    const ports: Record<string, string[]> = {
      web: ['8080'],
      s3: ['7070'],
      kafka: ['9092'],
      mongo: ['27017'],
      redis: ['6379'],
      inbox: ['1025', '1080'],
    }
    for (const name of serviceNames) ports[name] = [image['PORT'] ?? '', image['INTERNAL_PORT'] ?? '']
    const targets = [...serviceNames, 'backup' as const].flatMap((service) =>
      Object.entries(environmentOf(service)).flatMap(([name, value]) =>
        name === 'PUBLIC_ORIGINS' ? [] : addressesIn(value).map((address) => ({ service, name, ...address })),
      ),
    )
    expect(targets.length).toBeGreaterThan(20)
    expect(targets.map(({ host }) => host)).toContain('s3')
    expect(targets.filter(({ host, port }) => !services[host] || !ports[host]?.includes(port))).toEqual([])
    const toServices = targets.filter(
      ({ name, host }) => name.endsWith('_URL') && serviceNames.some((one) => one === host),
    )
    const atWrongPort = toServices.filter(
      ({ name, port }) => name.includes('INTERNAL') !== (port === image['INTERNAL_PORT']),
    )
    expect(atWrongPort).toEqual([])
    expect(lastStageOf('ops/images/service.Dockerfile')).toContainEqual({
      name: 'EXPOSE',
      rest: `${image['PORT']} ${image['INTERNAL_PORT']}`,
    })
  })

  it('agree with the addresses in the nginx and Kafka configuration', () => {
    const file = (path: string) => readFileSync(join(repoRoot, 'ops/images', path), 'utf8')
    expect(file('nginx/compose-upstreams.conf')).toContain(`set $gateway gateway:${image['PORT']};`)
    expect(file('nginx/compose-upstreams.conf')).toContain(`set $realtime realtime:${image['PORT']};`)
    expect(file('kafka.properties')).toContain('advertised.listeners=CLIENTS://kafka:9092\n')
    expect(written('create-topics')['KAFKA_BROKERS']).toBe('kafka:9092')
  })
})

/** Jobs that use the secrets of another service. */
const alsoReading: Record<string, string[]> = { auth: ['seed-admin'], s3: ['create-bucket'] }

describe('secrets of a compose project', () => {
  it('are not in docker-compose.yml', () => {
    const inFile = Object.keys(services).flatMap((name) => Object.keys(written(name)))
    expect(inFile.filter((name) => secretSettings.has(name))).toEqual([])
    expect(inFile.filter((name) => /SECRET$|PASSWORD|_KEY$|TOKEN|PEPPER/.test(name))).toEqual([])
    expect(composeText()).not.toMatch(/[0-9a-f]{32}|PRIVATE KEY|:\/\/[^/\s:]+:[^/\s@]+@/)
  })

  it('are mounted read-only by their reader alone, and for writing by the job that creates them', () => {
    const mounts = Object.entries(services).flatMap(([name, { volumes }]) =>
      (volumes ?? [])
        .filter((volume) => volume.startsWith('secrets-'))
        .map((volume) => [name, volume] as const),
    )
    const readersOf = (volume: string) =>
      mounts.filter(([name, mount]) => name !== 'secrets' && mount.startsWith(`${volume}:`))
    for (const folder of new Set(Object.keys(files).map((path) => path.split('/')[0] ?? ''))) {
      const allowed = [folder, ...(alsoReading[folder] ?? [])]
      const readers = readersOf(`secrets-${folder}`)
      expect(readers.map(([name]) => name)).toContain(folder)
      for (const [name, mount] of readers) {
        expect(allowed).toContain(name)
        expect(mount).toBe(`secrets-${folder}:/run/secrets:ro`)
      }
      expect(services['secrets']?.volumes).toContain(`secrets-${folder}:/secrets/${folder}`)
    }
    expect(readersOf('secrets-kept')).toEqual([['init-mongo', 'secrets-kept:/secrets/kept:ro']])
  })

  it('are not among the plain settings, and each service has only its own', () => {
    const plain = JSON.stringify(Object.keys(services).map((name) => written(name)))
    const values = JSON.stringify(secrets).match(/[0-9a-f]{64}/g) ?? []
    expect(values.length).toBeGreaterThan(10)
    expect(values.filter((value) => plain.includes(value))).toEqual([])
    for (const service of serviceNames) {
      const foreign = serviceNames.filter((name) => name !== service)
      const text = files[`${service}/service.env`] ?? ''
      expect(foreign.filter((name) => text.includes(secrets.internalSecrets[name]))).toEqual([])
      expect(text).not.toContain(secrets.mongoAdminPassword)
    }
  })

  it('give the backup its key and the databases, but not the peppers of PINs and codes', () => {
    const text = files['backup/service.env'] ?? ''
    for (const known of [secrets.backupKey, secrets.s3SecretKey, secrets.mongoPasswords.billing])
      expect(text).toContain(known)
    for (const foreign of [secrets.pinPepper, secrets.codePepper, secrets.mongoAdminPassword])
      expect(text).not.toContain(foreign)
    expect(Object.keys(files).filter((name) => files[name]?.includes(secrets.backupKey))).toEqual([
      'backup/service.env',
    ])
  })

  it('are read back from their file unchanged, line breaks of keys and quotes of JSON included', () => {
    for (const service of serviceNames)
      expect(fileOf(service)).toEqual(secretEnvironment(service, secrets, names))
    expect(fileOf('auth')['TOKEN_PRIVATE_KEY']).toBe(secrets.tokenPrivateKey)
    expect(() => environmentFile({ X: "it's" })).toThrow('X holds a single quote')
  })
})
