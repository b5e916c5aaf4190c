import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { hashOf } from './config-map.ts'
import { render } from './render.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sumlock-render-'))
})
afterEach(() => rm(folder, { recursive: true }))

const head = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamespace: ours\n'
const job = `apiVersion: batch/v1
kind: Job
metadata: { name: work }
spec:
  backoffLimit: 1
  template:
    metadata: { labels: { a: b } }
    spec:
      containers:
        - { name: work, image: 'us/work:1', envFrom: [{ configMapRef: { name: settings } }] }
`

async function write(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

const base = (more = '') => ({
  'base/kustomization.yaml': `${head}resources: [job.yaml]\nconfigMapGenerator:\n  - name: settings\n    envs: [settings.env]\n${more}`,
  'base/job.yaml': job,
  'base/settings.env': '# said once\nONE=1\n\nTWO=a=b\n',
})
const overlay = (more: string) => ({ 'top/kustomization.yaml': `${head}resources: [../base]\n${more}` })
const top = () => render(join(folder, 'top'))

describe('the hash in a name', () => {
  // As kustomize's own tests have it (api/hasher/hasher_test.go).
  it.each([
    [{ one: '' }, '9g67k2htb6'],
    [{ two: 2, one: '', three: 3 } as never, '7757f9kkct'],
  ])("of %j is kustomize's", (data, hash) => {
    expect(hashOf({ data })).toBe(hash)
  })

  it('is of the settings alone, as kubectl kustomize writes it', async () => {
    await write({ ...base(), ...overlay(''), 'base/settings.env': 'AUTH_INTERNAL_URL=http://auth:8081\n' })
    const [, settings] = top()
    expect(settings?.metadata.name).toBe('settings-fhhkdkm9t6')
  })
})

describe('rendering', () => {
  it('merges settings, renames images, patches, sets the namespace and points to the ConfigMap', async () => {
    await write({
      ...base(),
      ...overlay(`configMapGenerator:
  - name: settings
    behavior: merge
    envs: [more.env]
images: [{ name: us/work, newName: registry/work, newTag: '2' }]
patches:
  - target: { kind: Job }
    patch: |-
      - { op: replace, path: /spec/backoffLimit, value: 4 }
      - { op: add, path: /spec/template/spec/containers/0/args, value: [go] }
      - { op: remove, path: /spec/template/metadata/labels/a }
`),
      'top/more.env': 'TWO=c\n',
    })
    const [work, settings] = top()
    expect(settings).toMatchObject({
      kind: 'ConfigMap',
      data: { ONE: '1', TWO: 'c' },
      metadata: { namespace: 'ours' },
    })
    expect(settings?.metadata.name).toMatch(/^settings-[a-z0-9]{10}$/)
    expect(work).toEqual({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'work', namespace: 'ours' },
      spec: {
        backoffLimit: 4,
        template: {
          metadata: { labels: {} },
          spec: {
            containers: [
              {
                name: 'work',
                image: 'registry/work:2',
                args: ['go'],
                envFrom: [{ configMapRef: { name: settings?.metadata.name } }],
              },
            ],
          },
        },
      },
    })
  })

  it('gives a ConfigMap another name when a setting changes', async () => {
    await write({ ...base(), ...overlay('') })
    const [, before] = top()
    await write({ 'base/settings.env': 'ONE=2\nTWO=a=b\n' })
    const [, after] = top()
    expect(before?.data).toEqual({ ONE: '1', TWO: 'a=b' })
    expect(after?.metadata.name).not.toBe(before?.metadata.name)
  })
})

describe('rendering refuses', () => {
  it.each([
    ['a field we do not use', 'commonLabels: { a: b }', /commonLabels/],
    ['a generator of literals', 'configMapGenerator: [{ name: x, literals: [a=b] }]', /literals/],
    [
      'merging what is not there',
      'configMapGenerator: [{ name: x, behavior: merge, files: [f.env] }]',
      /not there to be merged/,
    ],
    [
      'making what is there',
      'configMapGenerator: [{ name: settings, files: [f.env] }]',
      /say "behavior: merge"/,
    ],
    ['a setting without a value', 'configMapGenerator: [{ name: x, envs: [f.env] }]', /"PATH" has no value/],
    [
      'a patch for nobody',
      'patches: [{ target: { kind: Jop }, patch: "[]" }]',
      /Jop \(any\), and there is none/,
    ],
    [
      'a patch of what is not there',
      `patches: [{ target: { kind: Job }, patch: "[{ op: replace, path: /spec/nothing, value: 1 }]" }]`,
      /replace \/spec\/nothing of Job work/,
    ],
    [
      'a strategic patch',
      'patches: [{ target: { kind: Job }, patch: "spec: { backoffLimit: 2 }" }]',
      /expected array/,
    ],
  ])('%s', async (_, more, says) => {
    await write({ ...base(), ...overlay(more), 'top/f.env': 'PATH\n' })
    expect(top).toThrow(says)
  })

  it('two of one name, and a ConfigMap that nothing makes', async () => {
    await write({
      ...base(),
      'top/kustomization.yaml': `${head}resources: [../base, job.yaml]\n`,
      'top/job.yaml': job,
    })
    expect(top).toThrow(/two of: Job work/)
    await write({ 'alone/kustomization.yaml': `${head}resources: [job.yaml]\n`, 'alone/job.yaml': job })
    expect(() => render(join(folder, 'alone'))).toThrow(
      'refers to the ConfigMap settings, which nothing makes',
    )
  })
})
