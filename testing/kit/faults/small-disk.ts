import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '@sumlock/dev/processes/run'

/** A file system of its own that can be filled without hurting the machine. */
export interface SmallDisk {
  readonly path: string
  /** Takes all the space that is left. */
  fill(): Promise<void>
  free(): Promise<void>
  unmount(): Promise<void>
}

/** Whether this machine allows mounting one; tries it. */
export async function canMountSmallDisk(): Promise<boolean> {
  const disk = await mountSmallDisk(1).catch(() => undefined)
  await disk?.unmount()
  return disk !== undefined
}

/** Mounts a tmpfs of `megabytes`; needs root or the right to mount. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const path = await mkdtemp(join(tmpdir(), 'sumlock-disk-'))
  const ballast = join(path, 'ballast')
  const unmount = async () => {
    await run('umount', ['-l', path]).catch(() => undefined)
    await rm(path, { recursive: true, force: true })
  }
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]).catch(async (error) => {
    await unmount()
    throw error
  })
  return {
    path,
    fill: () =>
      run('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M']).then(
        () => undefined,
        (error: Error) => {
          if (!error.message.includes('No space left')) throw error
        },
      ),
    free: () => rm(ballast, { force: true }),
    unmount,
  }
}
