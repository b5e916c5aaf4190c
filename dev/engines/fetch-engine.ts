import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { engineCache } from '../config.ts'
import { requireSpace } from './disk-space.ts'
import { isWhole, writeManifest } from './engine-manifest.ts'
import { withFileLock } from '../processes/file-lock.ts'
import { step } from '../processes/progress.ts'
import type { Progress } from '../processes/progress.ts'

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

export interface CachedEngine {
  /** Name of its folder in the cache, version included. */
  name: string
  /** Shown to a person while it is fetched. */
  title: string
  progress: Progress
  /** Disk space needed while fetching. */
  bytes?: number
  cache?: string
}

/**
 * Returns the folder of an engine in the cache, filling it first if needed. `fill` works in a temporary folder that
 * is renamed when complete, so an interrupted download leaves no half engine. A folder that lost or changed a file
 * is fetched again.
 */
export async function cached(
  { name, title, progress, bytes = 0, cache = engineCache }: CachedEngine,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cache, name)
  if (await isWhole(folder)) return folder
  await withFileLock(`${folder}.lock`, async () => {
    if (await isWhole(folder)) return
    if (await exists(folder)) progress(`${folder} is incomplete or changed; fetching it again`)
    await removeParts(folder)
    requireSpace(cache, bytes, title)
    await step(progress, title, async () => {
      const temporary = await mkdtemp(`${folder}.part-`)
      try {
        await fill(temporary)
        await writeManifest(temporary)
        await rm(folder, { recursive: true, force: true })
        await rename(temporary, folder).catch(async (error: unknown) => {
          // Another process finished first, and its copy is as good.
          if (!(await isWhole(folder))) throw error
        })
      } finally {
        await rm(temporary, { recursive: true, force: true })
      }
    })
  })
  return folder
}

/** Removes what an interrupted download left. */
async function removeParts(folder: string): Promise<void> {
  const cache = dirname(folder)
  const parts = (await readdir(cache)).filter((entry) => entry.startsWith(`${basename(folder)}.part-`))
  await Promise.all(parts.map((part) => rm(join(cache, part), { recursive: true, force: true })))
}
