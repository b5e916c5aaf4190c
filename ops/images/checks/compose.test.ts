import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { engineVersions } from '@sumlock/deployment/engine-versions'
import { composeText, isJob, isOurs, readCompose } from './compose-file.ts'
import { lastStageOf } from './dockerfile.ts'

const compose = readCompose()
const services = Object.entries(compose.services)
const engines = services.filter(([, service]) => !isOurs(service))
const { version } = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')) as { version: string }

describe('docker-compose.yml', () => {
  it('runs the engines in the versions that are named in one place, and images of this version', () => {
    expect(engines.map(([name, { image }]) => [name, image]).sort()).toEqual(
      Object.entries(engineVersions)
        .map(([name, { image }]) => [name, image])
        .sort(),
    )
    for (const [, { image }] of services.filter(([, service]) => isOurs(service)))
      expect(image).toMatch(new RegExp(`^sumlock/[a-z]+:${version.replaceAll('.', '\\.')}$`))
    expect(composeText()).not.toMatch(/:latest/)
  })

  it('names no engine version its maker no longer mends', () => {
    for (const { image, supportedUntil } of Object.values(engineVersions)) {
      expect(image).toMatch(/^[\w/-]+:v?\d+\.\d+\.\d+(-\w+)?$/)
      if (supportedUntil) expect(Date.parse(supportedUntil)).toBeGreaterThan(Date.now())
    }
  })

  it.each(services)('contains %s: read-only, without rights, with limits, not as root', (_name, service) => {
    expect(service).toMatchObject({
      ...{ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], tmpfs: ['/tmp'] },
      ...{ mem_limit: expect.any(String), cpus: expect.any(Number), pids_limit: expect.any(Number) },
    })
    expect(service.privileged ?? false).toBe(false)
    expect(service.cap_add ?? []).toEqual([])
    // Our own images bring their user along.
    if (!isOurs(service)) expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    else expect(service.user).toBeUndefined()
  })

  it.each(services)('starts %s when what it needs is there', (name, service) => {
    for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
      const other = compose.services[needed]
      if (!other) throw new Error(`${name} needs ${needed}, which docker-compose.yml does not have`)
      expect([needed, condition]).toEqual([
        needed,
        isJob(other) ? 'service_completed_successfully' : 'service_healthy',
      ])
    }
    if (isJob(service)) expect(service.healthcheck).toEqual({ disable: true })
    else if (isOurs(service)) {
      const file =
        service.build?.dockerfile === 'ops/images/web.Dockerfile'
          ? 'ops/images/web.Dockerfile'
          : 'ops/images/service.Dockerfile'
      expect(lastStageOf(file).map((instruction) => instruction.name)).toContain('HEALTHCHECK')
    } else expect(service.healthcheck?.test?.length).toBeGreaterThan(1)
  })

  it('saves when asked to and only once: the backup has a profile, is not repeated, and nothing waits for it', () => {
    const ofProfiles = services.filter(([, { profiles }]) => profiles !== undefined)
    expect(ofProfiles.filter(([, { profiles }]) => profiles?.[0] !== 'demo')).toMatchObject([
      ['backup', { profiles: ['backup'], restart: 'no' }],
    ])
    const waiting = services.filter(([, { depends_on = {} }]) => 'backup' in depends_on)
    expect(waiting).toEqual([])
  })

  it('makes the demo accounts with the profile `demo` only, and nothing else waits for them', () => {
    const ofDemo = services.filter(([, { profiles }]) => profiles?.includes('demo')).map(([name]) => name)
    expect(ofDemo.sort()).toEqual(['seed', 'seed-accounts', 'seed-admin'])
    const seeding = services.filter(([, { command }]) => /seed|set-admin/.test(String(command?.[0])))
    expect(seeding.map(([name]) => name).sort()).toEqual(ofDemo)
    const waiting = services.filter(([, { depends_on = {} }]) => ofDemo.some((name) => name in depends_on))
    expect(waiting.map(([name]) => name).sort()).toEqual(['seed', 'seed-admin'])
  })

  it('saves nothing before the engines it reads answer, however long ago their jobs ended', () => {
    expect(compose.services['backup']?.depends_on).toMatchObject({
      mongo: { condition: 'service_healthy' },
      s3: { condition: 'service_healthy' },
    })
  })

  it('keeps what must outlive a container in volumes it names, the backups in one that their user owns', () => {
    for (const [name, { volumes = [] }] of services)
      for (const volume of volumes.filter((one) => !one.startsWith('.')))
        expect([name, Object.keys(compose.volumes)]).toEqual([
          name,
          expect.arrayContaining([volume.split(':')[0]]),
        ])
    const { environment, volumes, build } = compose.services['backup'] ?? {}
    const folder = environment?.['BACKUP_FOLDER']
    expect(volumes).toContain(`backups:${folder}`)
    expect(build?.args).toEqual({ SERVICE: 'backup', FOLDER: 'ops/backup', OWN_FOLDERS: folder })
  })

  it('publishes two ports, to this machine only', () => {
    const published = services.flatMap(([name, { ports }]) => (ports ?? []).map((port) => [name, port]))
    expect(published).toEqual([
      ['inbox', '127.0.0.1:8025:1080'],
      ['web', '127.0.0.1:8080:8080'],
    ])
  })

  it('lets neither a database nor a service that holds one be reached from the door', () => {
    expect(compose.networks['back']).toEqual({ internal: true })
    const onFront = services.filter(([, { networks }]) => networks?.includes('front')).map(([name]) => name)
    expect(onFront.sort()).toEqual(['gateway', 'inbox', 'realtime', 'seed', 'seed-accounts', 'web'])
  })
})
