import { spawnSync } from 'node:child_process'
import { lstat, mkdtemp, rm, symlink } from 'node:fs/promises'
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

  it('runs one piece of work at a time', async () => {
    let inside = 0
    const most: number[] = []
    const work = async () => {
      inside += 1
      most.push(inside)
      // This takes longer than the interval of the waiting callers.
      await wait(250)
      inside -= 1
    }
    await Promise.all([1, 2, 3].map(() => withFileLock(path, work)))
    expect(most).toEqual([1, 1, 1])
  })

  it('takes over a lock whose owner has exited', async () => {
    const gone = spawnSync(process.execPath, ['--version']).pid
    await symlink(`${gone} some boot:1`, path)
    await expect(withFileLock(path, () => Promise.resolve('done'))).resolves.toBe('done')
  })

  it('takes over a lock whose owner has exited and whose process id is in use again', async () => {
    await symlink(`${process.pid} some boot:1`, path)
    await expect(withFileLock(path, () => Promise.resolve('done'))).resolves.toBe('done')
  })

  it('creates the folder of the lock', async () => {
    const work = () => Promise.resolve('done')
    await expect(withFileLock(join(folder, 'new', 'engine.lock'), work)).resolves.toBe('done')
  })

  it('accepts that its lock was taken away during the work', async () => {
    await expect(withFileLock(path, () => rm(path))).resolves.toBeUndefined()
  })

  it('releases the lock after work that failed', async () => {
    await expect(withFileLock(path, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk')
    await expect(lstat(path)).rejects.toThrow('ENOENT')
  })
})
