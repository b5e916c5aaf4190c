import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cached, verifyChecksums } from './fetch-engine.ts'
import { withFileLock } from '../processes/file-lock.ts'
import { silent } from '../processes/progress.ts'

describe('the engine cache', () => {
  let cache: string
  beforeEach(async () => {
    cache = await mkdtemp(join(tmpdir(), 'engine-cache-'))
  })
  afterEach(() => rm(cache, { recursive: true }))
  const engine = () => ({ name: 'db-1.0', title: 'Fetching', progress: silent, cache })

  it('fetches an engine once for two concurrent callers', async () => {
    let fetched = 0
    const fill = async (folder: string) => {
      fetched += 1
      await writeFile(join(folder, 'binary'), 'x')
    }
    const folders = await Promise.all([cached(engine(), fill), cached(engine(), fill)])
    expect(folders).toEqual([join(cache, 'db-1.0'), join(cache, 'db-1.0')])
    expect(fetched).toBe(1)
    expect(existsSync(join(cache, 'db-1.0', 'binary'))).toBe(true)
  })

  it('keeps nothing of a failed download, and fetches again at the next call', async () => {
    const failing = async (folder: string) => {
      await writeFile(join(folder, 'half'), 'x')
      throw new Error('connection lost')
    }
    await expect(cached(engine(), failing)).rejects.toThrow('connection lost')
    expect(await readdir(cache)).toEqual([])
    await cached(engine(), (folder) => writeFile(join(folder, 'whole'), 'x'))
    expect(await readdir(join(cache, 'db-1.0'))).toEqual(['whole', 'whole.json'])
  })

  it.each([
    ['cut short', (file: string) => truncate(file, 3)],
    ['changed', (file: string) => writeFile(file, 'WHOLE')],
    ['lost', (file: string) => rm(file)],
  ])('fetches an engine again when a file of it was %s', async (_how, damage) => {
    const fill = async (folder: string) => {
      await mkdir(join(folder, 'bin'))
      await writeFile(join(folder, 'bin', 'server'), 'whole')
    }
    const file = join(await cached(engine(), fill), 'bin', 'server')
    await damage(file)
    const told: string[] = []
    await cached({ ...engine(), progress: (text) => told.push(text) }, fill)
    expect(told).toContain(`${join(cache, 'db-1.0')} is incomplete or changed; fetching it again`)
    expect(await readFile(file, 'utf8')).toBe('whole')
  })

  it('fetches an engine again when its folder is incomplete, and accepts files with a new modification time', async () => {
    await mkdir(join(cache, 'db-1.0'))
    let fetched = 0
    const fill = async (folder: string) => {
      fetched += 1
      await writeFile(join(folder, 'binary'), 'whole')
    }
    const file = join(await cached(engine(), fill), 'binary')
    await writeFile(file, 'whole')
    await cached(engine(), fill)
    expect(fetched).toBe(1)
  })

  it('uses a whole engine while another process holds its lock', async () => {
    const folder = await cached(engine(), (part) => writeFile(join(part, 'binary'), 'whole'))
    const again = withFileLock(`${folder}.lock`, () =>
      cached(engine(), () => Promise.reject(new Error('no'))),
    )
    expect(await again).toBe(folder)
  })

  it('refuses to fetch to a full disk, and says how much space is missing', async () => {
    const huge = { ...engine(), bytes: 1e18 }
    await expect(cached(huge, () => Promise.resolve())).rejects.toThrow(
      /The disk is too full: Fetching needs 1000000000000 MB, and .* has \d+ MB left/,
    )
  })

  it('removes the remains of a killed download', async () => {
    await mkdir(join(cache, 'db-1.0.part'))
    await cached(engine(), (folder) => writeFile(join(folder, 'whole'), 'x'))
    expect(await readdir(cache)).toEqual(['db-1.0'])
  })
})

describe('the checksums of downloaded jars', () => {
  let folder: string
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const list = `${sha256('one')}  one.jar\n${sha256('two')}  two.jar\n`

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'checksums-'))
    await writeFile(join(folder, 'one.jar'), 'one')
    await writeFile(join(folder, 'two.jar'), 'two')
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('accept a folder that holds exactly the listed jars', async () => {
    await expect(verifyChecksums(folder, list)).resolves.toBeUndefined()
  })

  it('refuse a jar with other content', async () => {
    await writeFile(join(folder, 'two.jar'), 'evil')
    await expect(verifyChecksums(folder, list)).rejects.toThrow('two.jar')
  })

  it('refuse a jar that is not listed', async () => {
    await writeFile(join(folder, 'three.jar'), 'three')
    await expect(verifyChecksums(folder, list)).rejects.toThrow('three.jar')
  })

  it('refuse a folder that lacks a listed jar', async () => {
    await rm(join(folder, 'one.jar'))
    await expect(verifyChecksums(folder, list)).rejects.toThrow('one.jar')
  })
})
