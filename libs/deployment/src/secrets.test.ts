import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSecrets } from './secrets.ts'

describe('the secrets of a data folder', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secrets-'))
    path = join(folder, 'data', 'secrets.json')
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('are created once and readable by their owner only', async () => {
    const first = await loadSecrets(path)
    expect(await loadSecrets(path)).toEqual(first)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('are not written again while none is missing', async () => {
    await loadSecrets(path)
    const { ino } = await stat(path)
    await loadSecrets(path)
    expect((await stat(path)).ino).toBe(ino)
  })

  it('are not replaced when their file cannot be read', async () => {
    await loadSecrets(path)
    await writeFile(path, '{"pinPepper":')
    await expect(loadSecrets(path)).rejects.toThrow(SyntaxError)
    expect(await readFile(path, 'utf8')).toBe('{"pinPepper":')
  })

  it('keep the values of an earlier version and get the missing ones', async () => {
    const { noticeKey: _unknownThen, ...earlier } = await loadSecrets(path)
    await writeFile(path, JSON.stringify(earlier))
    const now = await loadSecrets(path)
    expect(now).toMatchObject(earlier)
    expect(now.noticeKey).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(now)
  })
})
