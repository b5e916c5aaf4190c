import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { engineVersions } from '@sumlock/deployment/engine-versions'
import { composeText, isJob, isOurs, readCompose } from './compose-file.ts'
import type { ComposeService } from './compose-file.ts'
import { lastStageOf } from './dockerfile.ts'

const compose = readCompose()
const services = Object.entries(compose.services)
const servicesThat = (isWrong: (service: ComposeService, name: string) => boolean) =>
  services.filter(([name, service]) => isWrong(service, name)).map(([name]) => name)
const { version } = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')) as { version: string }

describe('docker-compose.yml', () => {
  it('runs the engines in the versions of engine-versions.ts', () => {
    const engines = services.filter(([, service]) => !isOurs(service))
    const wanted = new Map<string, string>(
      Object.entries(engineVersions).map(([name, { image }]) => [name, image]),
    )
    const others = engines.filter(([name, { image }]) => wanted.get(name.replace(/^engine-/, '')) !== image)
    expect(others.map(([name]) => name)).toEqual([])
    expect(engines.map(([name]) => name)).toEqual(expect.arrayContaining([...wanted.keys()]))
  })

  it('runs our images in the version of package.json', () => {
    const isOfThisVersion = new RegExp(`^sumlock/[a-z]+:${version.replaceAll('.', '\\.')}$`)
    expect(servicesThat((service) => isOurs(service) && !isOfThisVersion.test(service.image))).toEqual([])
  })

  it('names only engine versions that their makers still support', () => {
    const unsupported = Object.values(engineVersions).filter(
      ({ supportedUntil }) => supportedUntil && Date.parse(supportedUntil) <= Date.now(),
    )
    expect(unsupported).toEqual([])
  })

  it('names engine versions to the last number', () => {
    const images = Object.values(engineVersions).map(({ image }) => image)
    expect(images.filter((image) => !/^[\w/-]+:v?\d+\.\d+\.\d+(-\w+)?$/.test(image))).toEqual([])
  })

  it.each(services)('runs %s with a read-only file system, no capabilities and limits', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: ['/tmp'],
      mem_limit: expect.any(String),
      cpus: expect.any(Number),
      pids_limit: expect.any(Number),
    })
    expect(service.privileged ?? false).toBe(false)
    expect(service.cap_add ?? []).toEqual([])
  })

  it('runs no engine as root, and our images as the user that they name', () => {
    const isUnprivileged = (user = '') => /^[1-9]\d*:[1-9]\d*$/.test(user)
    const offenders = servicesThat((service) =>
      isOurs(service) ? service.user !== undefined : !isUnprivileged(service.user),
    )
    expect(offenders).toEqual([])
  })

  it('starts a service when its jobs have ended well and its other dependencies are healthy', () => {
    const offenders = servicesThat(({ depends_on = {} }) =>
      Object.entries(depends_on).some(([needed, { condition }]) => {
        const other = compose.services[needed]
        if (!other) return true
        return condition !== (isJob(other) ? 'service_completed_successfully' : 'service_healthy')
      }),
    )
    expect(offenders).toEqual([])
  })

  it('gives each of our containers the secrets of its volume, and otherwise the entrypoint of the image', () => {
    const instruction = lastStageOf('ops/images/service.Dockerfile').find(({ name }) => name === 'ENTRYPOINT')
    const image = JSON.parse(instruction?.rest ?? '[]') as string[]
    const ours = services.filter(([, { build }]) => build?.dockerfile === 'ops/images/service.Dockerfile')
    const mounts = ([, { volumes = [] }]: (typeof ours)[number]) =>
      volumes.some((volume) => volume.endsWith(':/run/secrets:ro'))
    const wanted = ours.map(([name]) => [
      name,
      [...image, `--env-file=/run/secrets/${name === 'create-bucket' ? 's3' : 'service'}.env`],
    ])
    const given = ours.map(([name, { entrypoint }]) => [name, entrypoint])
    const isReader = (_: unknown, index: number) => mounts(ours[index]!)
    expect(given.filter(isReader)).toEqual(wanted.filter(isReader))
    expect(ours.filter((one) => !mounts(one) && one[1].entrypoint).map(([name]) => name)).toEqual([])
    expect(
      ours.filter(([, { entrypoint, command }]) => entrypoint && !command).map(([name]) => name),
    ).toEqual([])
  })

  it('checks the health of every engine, and of our images by their own health check', () => {
    const hasHealthcheck = (file: 'ops/images/web.Dockerfile' | 'ops/images/service.Dockerfile') =>
      lastStageOf(file).some(({ name }) => name === 'HEALTHCHECK')
    const offenders = servicesThat((service) => {
      if (isJob(service)) return service.healthcheck?.disable !== true
      if (!isOurs(service)) return (service.healthcheck?.test ?? []).length < 2
      const isWeb = service.build?.dockerfile === 'ops/images/web.Dockerfile'
      return !hasHealthcheck(isWeb ? 'ops/images/web.Dockerfile' : 'ops/images/service.Dockerfile')
    })
    expect(offenders).toEqual([])
  })

  it('starts the backup, the demo accounts and the engines of `npm start` on request only', () => {
    const onRequest = services.flatMap(([name, { profiles = [] }]) =>
      profiles.map((profile) => `${profile}: ${name}`),
    )
    expect(onRequest.sort()).toEqual([
      'backup: backup',
      'demo: seed',
      'demo: seed-accounts',
      'demo: seed-admin',
      'engines: engine-inbox',
      'engines: engine-kafka',
      'engines: engine-mongo',
      'engines: engine-redis',
      'engines: engine-s3',
    ])
  })

  it('lets no service outside of a profile depend on one inside', () => {
    const offenders = servicesThat(({ depends_on = {}, profiles = [] }) =>
      Object.keys(depends_on).some((needed) =>
        (compose.services[needed]?.profiles ?? []).some((profile) => !profiles.includes(profile)),
      ),
    )
    expect(offenders).toEqual([])
  })

  it('makes demo accounts and administrators in the profile `demo` only', () => {
    const seeding = servicesThat(({ command }) => /seed|set-admin/.test(String(command?.[0])))
    expect(seeding.sort()).toEqual(['seed', 'seed-accounts', 'seed-admin'])
  })

  it('runs a backup once, after the engines that it reads are healthy', () => {
    const { restart, depends_on: dependencies } = compose.services['backup']!
    expect(restart).toBe('no')
    expect(dependencies).toMatchObject({
      mongo: { condition: 'service_healthy' },
      s3: { condition: 'service_healthy' },
    })
  })

  it('keeps data in volumes that it names', () => {
    const isNamed = (volume: string) =>
      volume.startsWith('.') || Object.keys(compose.volumes).includes(volume.split(':')[0]!)
    expect(servicesThat(({ volumes = [] }) => !volumes.every(isNamed))).toEqual([])
  })

  it("keeps backups in a volume that belongs to the backup's user", () => {
    const { environment, volumes, build } = compose.services['backup']!
    const folder = environment?.['BACKUP_FOLDER']
    expect(volumes).toContain(`backups:${folder}`)
    expect(build?.args).toEqual({ SERVICE: 'backup', FOLDER: 'ops/backup', OWN_FOLDERS: folder })
  })

  it('publishes ports to this machine only', () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`))
    expect(published.sort()).toEqual([
      'engine-inbox 127.0.0.1:1025:1025',
      'engine-inbox 127.0.0.1:1080:1080',
      'engine-kafka 127.0.0.1:9092:9092',
      'engine-mongo 127.0.0.1:27017:27017',
      'engine-redis 127.0.0.1:6379:6379',
      'engine-s3 127.0.0.1:7070:7070',
      'inbox 127.0.0.1:8025:1080',
      'web 127.0.0.1:8080:8080',
    ])
  })

  it('has no database in the network that browsers reach', () => {
    const onFront = servicesThat(({ networks }) => networks?.includes('front') ?? false)
    expect(onFront.sort()).toEqual(['gateway', 'realtime', 'seed', 'seed-accounts', 'web'])
  })

  it('lets only billing and notify out to the internet, and web and the inbox each into a network of its own', () => {
    const withWayOut = services.flatMap(([name, { networks = [] }]) =>
      networks.filter((network) => !compose.networks[network]?.internal).map((network) => [network, name]),
    )
    expect(withWayOut.filter(([network]) => network !== 'engines').sort()).toEqual([
      ['outside', 'billing'],
      ['outside', 'notify'],
      ['published-inbox', 'inbox'],
      ['published-web', 'web'],
    ])
  })

  it('keeps the engines of `npm start` apart from the services', () => {
    const inside = servicesThat(({ networks }) => networks?.includes('engines') ?? false)
    expect(inside.every((name) => name.startsWith('engine-'))).toBe(true)
  })

  it('has each MongoDB log no slow query, whose line would hold hashes of cookies', () => {
    const logsSlowQueries = servicesThat(
      ({ image, entrypoint = [], command = [] }) =>
        image === engineVersions.mongo.image &&
        !/--slowms[ =]86400000/.test([...entrypoint, ...command].join()),
    )
    expect(logsSlowQueries).toEqual([])
  })

  it('has no MongoDB offer the compressor zlib, which has returned memory to strangers', () => {
    const offersZlib = servicesThat(
      ({ image, entrypoint = [], command = [] }) =>
        image === engineVersions.mongo.image &&
        !/--networkMessageCompressors[ =]snappy,zstd/.test([...entrypoint, ...command].join()),
    )
    expect(offersZlib).toEqual([])
  })

  it('uses no image tagged latest', () => {
    expect(composeText()).not.toMatch(/:latest/)
  })
})
