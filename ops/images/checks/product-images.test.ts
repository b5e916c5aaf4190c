import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { overlays, renderedFile } from '../../manifests/overlays.ts'
import { imageComponent } from '../image-component.ts'
import { buildImage, productImages, pushImage } from '../product-images.ts'
import { revisionOf } from '../revision.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sumlock-images-'))
})
afterEach(() => rm(folder, { recursive: true }))

interface ComponentFile {
  images: { name: string; newName: string; newTag?: string; digest?: string }[]
}
const componentOf = (...args: Parameters<typeof imageComponent>) =>
  parse(imageComponent(...args)) as ComponentFile

describe('productImages', () => {
  it('has nine images, each with the arguments that docker-compose.yml builds it with', () => {
    expect(productImages).toHaveLength(9)
    expect(productImages).toContainEqual({
      name: 'sumlock/backup',
      dockerfile: 'ops/images/service.Dockerfile',
      buildArgs: { SERVICE: 'backup', FOLDER: 'ops/backup', OWN_FOLDERS: '/backups' },
    })
  })
})

describe('imageComponent', () => {
  it.each(overlays)('replaces every image of ours in the overlay %s', async (overlay) => {
    const rendered = await readFile(renderedFile(overlay), 'utf8')
    const used = new Set([...rendered.matchAll(/image: (\S*sumlock\/[a-z]+):/g)].map(([, name]) => name))
    const replaced = componentOf(productImages.map(({ name }) => ({ name, tag: 'x' }))).images
    expect(used.size).toBe(9)
    expect(replaced.map(({ name }) => name)).toEqual(expect.arrayContaining([...used]))
  })

  it('names a tag before a push, and after it the registry and the digest', () => {
    const local = { name: 'sumlock/auth', tag: '0.1.0-abc' }
    expect(componentOf([local]).images[0]).toEqual({
      name: 'sumlock/auth',
      newName: 'sumlock/auth',
      newTag: '0.1.0-abc',
    })
    expect(componentOf([{ ...local, registry: 'ghcr.io/me', digest: 'sha256:1' }]).images[0]).toEqual({
      name: 'sumlock/auth',
      newName: 'ghcr.io/me/sumlock/auth',
      digest: 'sha256:1',
    })
  })
})

describe('revisionOf', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], { cwd: folder })
  const change = (text: string) => writeFile(join(folder, 'file'), text)
  beforeEach(async () => {
    git('init', '--quiet')
    await change('one')
    git('add', '.')
    git('commit', '--quiet', '--message=first')
  })

  it('is the commit when nothing was changed', async () => {
    expect(await revisionOf(folder)).toBe(git('rev-parse', '--short=12', 'HEAD').toString().trim())
  })

  it('differs with each uncommitted change, and is the same again without it', async () => {
    await change('two')
    const two = await revisionOf(folder)
    expect(two).toMatch(/^[0-9a-f]{12}-dirty-[0-9a-f]{8}$/)
    await change('three')
    expect(await revisionOf(folder)).not.toBe(two)
    await change('two')
    expect(await revisionOf(folder)).toBe(two)
  })

  it('counts a new file, and leaves the staged changes as they are', async () => {
    await writeFile(join(folder, 'new'), '')
    expect(await revisionOf(folder)).toContain('-dirty-')
    expect(git('status', '--porcelain').toString()).toBe('?? new\n')
  })
})

describe('docker', () => {
  const { PATH } = process.env
  /** Replaces docker by a program that writes its arguments to a file and then runs `script`. */
  const fakeDocker = async (script: string) => {
    await writeFile(join(folder, 'docker'), `#!/bin/sh\necho "$@" >> ${folder}/calls\n${script}\n`)
    await chmod(join(folder, 'docker'), 0o755)
    process.env['PATH'] = `${folder}:${PATH}`
  }
  const calls = async () => (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n')
  afterEach(() => {
    process.env['PATH'] = PATH
  })

  it('builds an image with its arguments, the revision, all tags and what the caller adds', async () => {
    await fakeDocker('exit 0')
    await buildImage(
      { name: 'sumlock/web', dockerfile: 'web.Dockerfile', buildArgs: { A: 'b' } },
      { tags: ['sumlock/web:1-abc', 'sumlock/web:1'], revision: 'abc', dockerArgs: ['--network=host'] },
    )
    expect(await calls()).toEqual([
      'build --file=web.Dockerfile --build-arg=A=b --build-arg=REVISION=abc --tag=sumlock/web:1-abc --tag=sumlock/web:1 --network=host .',
    ])
  })

  it('pushes to the registry and returns the digest there, not that of another registry', async () => {
    await fakeDocker(
      `[ "$1" = image ] && echo '["other/sumlock/web@sha256:0","host:5000/sumlock/web@sha256:1"]'; exit 0`,
    )
    expect(await pushImage('sumlock/web:1-abc', 'host:5000')).toBe('sha256:1')
    expect((await calls()).slice(0, 2)).toEqual([
      'tag sumlock/web:1-abc host:5000/sumlock/web:1-abc',
      'push host:5000/sumlock/web:1-abc',
    ])
  })
})
