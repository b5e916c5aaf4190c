import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { engineCache } from '../config.ts'
import { withFileLock } from '../processes/file-lock.ts'
import { step } from '../processes/progress.ts'
import type { Progress } from '../processes/progress.ts'
import { requireSpace } from './disk-space.ts'

export interface EngineSetup {
  dataDir: string
  port: number
  progress: Progress
}

export interface CachedEngine {
  /** The engine's folder in the cache has this name, which includes the version. */
  name: string
  title: string
  progress: Progress
  /** Fetching needs this much disk space. */
  bytes?: number
  cache?: string
}

/**
 * Returns the folder of an engine in the cache and fetches the engine if it is missing. `fill` works in a temporary
 * folder that is renamed when it is complete, so an interrupted download leaves no part of an engine. A folder in
 * which a file is missing or changed is fetched again.
 */
export async function cached(
  { name, title, progress, bytes = 0, cache = engineCache }: CachedEngine,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cache, name)
  if (await isWhole(folder)) return folder
  await withFileLock(`${folder}.lock`, async () => {
    if (await isWhole(folder)) return
    if (existsSync(folder)) progress(`${folder} is incomplete or changed; fetching it again`)
    requireSpace(cache, bytes, title)
    const part = `${folder}.part`
    await rm(part, { recursive: true, force: true })
    await mkdir(part)
    try {
      await step(progress, title, () => fill(part))
      await writeManifest(part)
      await rm(folder, { recursive: true, force: true })
      await rename(part, folder)
    } finally {
      await rm(part, { recursive: true, force: true })
    }
  })
  return folder
}

interface FileHash {
  path: string
  sha256: string
}

const manifestOf = (folder: string) => join(folder, 'whole.json')

export const sha256Of = async (path: string): Promise<string> => hash('sha256', await readFile(path))

async function writeManifest(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const hashes: FileHash[] = []
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name)
    hashes.push({ path: relative(folder, file), sha256: await sha256Of(file) })
  }
  await writeFile(manifestOf(folder), JSON.stringify(hashes, null, 1))
}

/** Returns whether a folder holds all files of its manifest, unchanged. */
export async function isWhole(folder: string): Promise<boolean> {
  try {
    const hashes = JSON.parse(await readFile(manifestOf(folder), 'utf8')) as FileHash[]
    for (const { path, sha256 } of hashes) if ((await sha256Of(join(folder, path))) !== sha256) return false
    return true
  } catch {
    return false
  }
}

/** Throws unless the folder holds exactly the files of `checksums` (lines of sha256sum), unchanged. */
export async function verifyChecksums(folder: string, checksums: string): Promise<void> {
  const expected = checksums.trimEnd().split('\n')
  const files = await readdir(folder)
  const found = await Promise.all(files.map(async (file) => `${await sha256Of(join(folder, file))}  ${file}`))
  const wrong = [
    ...found.filter((line) => !expected.includes(line)),
    ...expected.filter((line) => !found.includes(line)),
  ]
  if (wrong.length > 0)
    throw new Error(
      `The download differs from the pinned files and is not run: ${wrong.join(', ')}. Check the repository it came from, then try again.`,
    )
}
