import { execFile } from 'node:child_process'
import { mkdtemp, open, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A file system of its own that can be filled without hurting the machine. */
export interface SmallDisk {
  readonly path: string
  /** Takes all the space that is left. */
  fill(): Promise<void>
  /** Gives it back. */
  free(): Promise<void>
  unmount(): Promise<void>
}

/** Whether this machine lets us mount one; tries it. */
export async function canMountSmallDisk(): Promise<boolean> {
  const disk = await mountSmallDisk(1).catch(() => undefined)
  await disk?.unmount()
  return disk !== undefined
}

/** Mounts a tmpfs of `megabytes`; needs root (or the right to mount) and says so when it is refused. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const path = await mkdtemp(join(tmpdir(), 'sumlock-disk-'))
  const ballast = join(path, 'ballast')
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path])
  } catch (error) {
    await rm(path, { recursive: true })
    throw new Error('A full disk is tried on a small tmpfs, and mounting one needs root.', { cause: error })
  }
  return {
    path,
    async fill() {
      const file = await open(ballast, 'a')
      const piece = Buffer.alloc(1 << 20, 1)
      try {
        while ((await statfs(path)).bavail > 0) await file.write(piece)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        await file.close()
      }
    },
    free: () => rm(ballast, { force: true }),
    async unmount() {
      await run('umount', ['-l', path])
      await rm(path, { recursive: true, force: true })
    },
  }
}
