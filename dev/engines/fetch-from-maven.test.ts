import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyChecksums } from './fetch-from-maven.ts'

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
    await expect(verifyChecksums(folder, list)).rejects.toThrow('lacks one.jar')
  })
})
