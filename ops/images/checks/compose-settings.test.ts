import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { readSettings as readBackup, settingNames as backupSettings } from '@sumlock/backup/settings'
import { environmentFile, secretEnvironment, secretFiles, secretSettings } from '@sumlock/jobs/secret-files'
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

/** Whose image reads a file of its own secrets. */
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
/** As the process sees it: the file fills in what the container's environment does not have. */
const environmentOf = (service: Reader, container: string = service) => ({
  ...fileOf(service),
  ...image,
  ...written(container),
})

describe('the settings of a container', () => {
  it.each(serviceNames)('satisfy %s, which reads them by its own schema', (service) => {
    expect(readers[service](environmentOf(service))).toMatchObject({ PORT: 8080, INTERNAL_PORT: 8081 })
  })

  it('give the migration job the address of every database, as its service has it, and nothing else', () => {
    expect(fileOf('migrate')).toEqual(
      Object.fromEntries(databaseOwners.map((owner) => [databaseUrlName(owner), fileOf(owner)['MONGO_URL']])),
    )
    expect(written('migrate')).toEqual({})
  })

  it('satisfy the backup, which reads them by its own schema, and hold nothing it does not know', () => {
    const { databaseUrls, bucket, folder } = readBackup(environmentOf('backup'), '')
    expect(folder).toBe('/backups')
    for (const [owner, url] of Object.entries(databaseUrls))
      expect(url).toBe(fileOf(owner as ServiceName)['MONGO_URL'])
    expect(bucket).toMatchObject({
      endpoint: 'http://s3:7070',
      bucket: written('create-bucket')['S3_BUCKET'],
    })
    expect(files['s3/s3.env']).toBe(
      `ROOT_ACCESS_KEY=${bucket?.accessKeyId}\nROOT_SECRET_KEY=${bucket?.secretAccessKey}\n`,
    )
    const given = Object.keys({ ...fileOf('backup'), ...written('backup') })
    expect(given.filter((name) => !backupSettings.includes(name))).toEqual([])
  })

  it('name ports at which somebody listens', () => {
    const doors: Record<string, string[]> = {
      ...Object.fromEntries(
        serviceNames.map((name) => [name, [image['PORT'] ?? '', image['INTERNAL_PORT'] ?? '']]),
      ),
      ...{
        web: ['8080'],
        s3: ['7070'],
        kafka: ['9092'],
        mongo: ['27017'],
        redis: ['6379'],
        inbox: ['1025', '1080'],
      },
    }
    const targets = [...serviceNames, 'backup' as const].flatMap((service) =>
      Object.entries(environmentOf(service)).flatMap(([name, value]) =>
        name === 'PUBLIC_ORIGINS'
          ? []
          : [...String(value).matchAll(/(?:\/\/(?:[^@/]*@)?|^)([a-z]\w*):(\d+)(?=[/,?]|$)/g)].map(
              ([, host, port]) => ({
                ...{ service, name, host: host ?? '', port: port ?? '' },
              }),
            ),
      ),
    )
    expect(targets.length).toBeGreaterThan(20)
    expect(targets.map(({ host }) => host)).toContain('s3')
    for (const target of targets) {
      expect(services).toHaveProperty([target.host])
      expect([target, doors[target.host]]).toEqual([target, expect.arrayContaining([target.port])])
      // The internal door is for internal calls and nothing else.
      if (target.name.endsWith('_URL') && serviceNames.some((name) => name === target.host))
        expect([target, target.port === image['INTERNAL_PORT']]).toEqual([
          target,
          target.name.includes('INTERNAL'),
        ])
    }
    expect(lastStageOf('ops/images/service.Dockerfile')).toContainEqual({
      name: 'EXPOSE',
      rest: `${image['PORT']} ${image['INTERNAL_PORT']}`,
    })
  })

  it('agree with what nginx forwards to, and with the address Kafka gives out', () => {
    const file = (path: string) => readFileSync(join(repoRoot, 'ops/images', path), 'utf8')
    expect(file('nginx/compose-doors.conf')).toContain(`set $gateway gateway:${image['PORT']};`)
    expect(file('nginx/compose-doors.conf')).toContain(`set $realtime realtime:${image['PORT']};`)
    expect(file('kafka.properties')).toContain('advertised.listeners=PLAINTEXT://kafka:9092\n')
    expect(written('create-topics')['KAFKA_BROKERS']).toBe('kafka:9092')
  })
})

/** Jobs that act in a reader's name. */
const alsoReading: Record<string, string[]> = { auth: ['seed-admin'], s3: ['create-bucket'] }

describe('the secrets of a compose project', () => {
  it('are not in docker-compose.yml', () => {
    const inFile = Object.keys(services).flatMap((name) => Object.keys(written(name)))
    expect(inFile.filter((name) => secretSettings.has(name))).toEqual([])
    expect(inFile.filter((name) => /SECRET$|PASSWORD|_KEY$|TOKEN|PEPPER/.test(name))).toEqual([])
    expect(composeText()).not.toMatch(/[0-9a-f]{32}|PRIVATE KEY|:\/\/[^/\s:]+:[^/\s@]+@/)
  })

  it('are mounted by their reader alone, and by nobody for writing but the job that makes them', () => {
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

  it('leave no secret to the settings that everybody can read', () => {
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

  it('give the backup what it saves and its key, and not the peppers that make PINs guessable', () => {
    const text = files['backup/service.env'] ?? ''
    for (const known of [secrets.backupKey, secrets.s3SecretKey, secrets.mongoPasswords.billing])
      expect(text).toContain(known)
    for (const foreign of [secrets.pinPepper, secrets.codePepper, secrets.mongoAdminPassword])
      expect(text).not.toContain(foreign)
    expect(Object.keys(files).filter((name) => files[name]?.includes(secrets.backupKey))).toEqual([
      'backup/service.env',
    ])
  })

  it('come out of the file as they went in, line breaks of a key and quotes of JSON included', () => {
    for (const service of serviceNames)
      expect(fileOf(service)).toEqual(secretEnvironment(service, secrets, names))
    expect(fileOf('auth')['TOKEN_PRIVATE_KEY']).toBe(secrets.tokenPrivateKey)
    expect(() => environmentFile({ X: "it's" })).toThrow('X holds a single quote')
  })
})
