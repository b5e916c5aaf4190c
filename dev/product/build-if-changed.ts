import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repoRoot } from '../config.ts'
import { withFileLock } from '../processes/file-lock.ts'

export interface BuildOptions {
  /** The file at this path keeps the hash of the sources of the last build. */
  stamp: string
  /** The patterns are relative to the root of the repository. Tests among the files are ignored. */
  sources: readonly string[]
  build: () => Promise<unknown>
}

/** Builds unless the last build was made from the same sources. A lock lets one process build at a time. */
export async function buildIfChanged({ stamp, sources, build }: BuildOptions): Promise<void> {
  const hash = hashSources(sources)
  const isFresh = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
  if (isFresh()) return
  // `npm start` and `npm test` may both need a build at the same time.
  await withFileLock(join(repoRoot, '.data/build.lock'), async () => {
    if (isFresh()) return
    // The stamp is removed first, so that a failed build does not leave the stamp of the build before.
    rmSync(stamp, { force: true })
    await build()
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, hash)
  })
}

function hashSources(patterns: readonly string[]): string {
  const hash = createHash('sha256')
  const files = globSync([...patterns], { cwd: repoRoot, exclude: ['**/*.test.ts', '**/*.test.tsx'] })
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(repoRoot, file)))
  return hash.digest('hex')
}
