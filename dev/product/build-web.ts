import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { repoRoot } from '../config.ts'
import { withFileLock } from '../processes/file-lock.ts'
import { step } from '../processes/progress.ts'
import type { Progress } from '../processes/progress.ts'
import { run } from '../processes/run.ts'

const sources = [
  'web/*.{html,ts,json}',
  'web/{src,public}/**/*.*',
  'libs/{contracts,sync}/src/**/*.*',
  'package-lock.json',
]

/** Builds the web app if its sources have changed since the last build; returns the folder to serve. */
export async function buildWeb(progress: Progress): Promise<string> {
  const dist = join(repoRoot, 'web/dist')
  const stamp = join(dist, '.sources')
  const hash = await hashSources()
  const isFresh = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
  if (isFresh()) return dist
  // `npm start` and `npm test` may both need it at the same time.
  await withFileLock(join(repoRoot, '.data/build-web.lock'), async () => {
    if (isFresh()) return
    await step(progress, 'Building the web app', async () => {
      const vite = join(repoRoot, 'node_modules/vite/bin/vite.js')
      // With the NODE_ENV=test of a test run, Vite would build for development.
      const env = { NODE_ENV: 'production' }
      await run(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: join(repoRoot, 'web'), env })
      writeFileSync(stamp, hash)
    })
  })
  return dist
}

async function hashSources(): Promise<string> {
  const files: string[] = []
  for await (const file of glob(sources, { cwd: repoRoot })) files.push(file)
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(repoRoot, file)))
  return hash.digest('hex')
}
