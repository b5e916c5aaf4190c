import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { withFileLock } from './file-lock.ts'

describe('withFileLock', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'file-lock-'))
    path = join(folder, 'engine.lock')
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('lets one in at a time', async () => {
    let inside = 0
    const most: number[] = []
    const work = async () => {
      inside += 1
      most.push(inside)
      // Longer than the others take to try again.
      await wait(250)
      inside -= 1
    }
    await Promise.all([1, 2, 3].map(() => withFileLock(path, work)))
    expect(most).toEqual([1, 1, 1])
  })

  it('takes over from an owner that is gone', async () => {
    const gone = spawnSync(process.execPath, ['--version']).pid
    await writeFile(path, `${gone} some boot:1`)
    await expect(withFileLock(path, () => Promise.resolve('mine'))).resolves.toBe('mine')
  })

  it('takes over when another process has got the id of an owner that is gone', async () => {
    await writeFile(path, `${process.pid} some boot:1`)
    await expect(withFileLock(path, () => Promise.resolve('mine'))).resolves.toBe('mine')
  })

  it('is free again after work that failed', async () => {
    await expect(withFileLock(path, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk')
    expect(existsSync(path)).toBe(false)
  })
})
