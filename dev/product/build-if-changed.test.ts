import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfChanged } from './build-if-changed.ts'

describe('building if sources have changed', () => {
  let folder: string
  let built: string[]
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'build-'))
    built = []
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const build = (source: string, fails = false) =>
    buildIfChanged({
      stamp: join(folder, 'dist/stamp'),
      sources: [source],
      build: () => (fails ? Promise.reject(new Error('broken source')) : Promise.resolve(built.push(source))),
    })

  it('builds once for the same sources, and again for others', async () => {
    for (const source of ['package.json', 'package.json', 'knip.json']) await build(source)
    expect(built).toEqual(['package.json', 'knip.json'])
  })

  it('builds again after a build of other sources has failed half-way', async () => {
    await build('package.json')
    await expect(build('knip.json', true)).rejects.toThrow('broken source')
    expect(existsSync(join(folder, 'dist/stamp'))).toBe(false)
    await build('package.json')
    expect(built).toEqual(['package.json', 'package.json'])
  })
})
