import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '../config.ts'
import { withFileLock } from '../processes/file-lock.ts'
import { step } from '../processes/progress.ts'
import type { Progress } from '../processes/progress.ts'
import { run } from '../processes/run.ts'

const sources = [
  'web/*.{html,ts,json}',
  'web/{src,public}/**/*.*',
  'libs/{contracts,sealing,sync}/src/**/*.*',
  'package-lock.json',
]

/** Builds the web app if its sources have changed since the last build; returns the folder to serve. */
export async function buildWeb(progress: Progress): Promise<string> {
  const dist = join(repoRoot, 'web/dist')
  const stamp = join(dist, '.sources')
  const hash = hashSources()
  const isFresh = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
  if (isFresh()) return dist
  // `npm start` and `npm test` may both need it at the same time.
  await withFileLock(join(repoRoot, '.data/build-web.lock'), async () => {
    if (isFresh()) return
    const vite = join(repoRoot, 'node_modules/vite/bin/vite.js')
    await step(progress, 'Building the web app', () =>
      run(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
        cwd: join(repoRoot, 'web'),
        // With the NODE_ENV=test of a test run, Vite would build for development.
        env: { NODE_ENV: 'production' },
      }),
    )
    writeFileSync(stamp, hash)
  })
  return dist
}

function hashSources(): string {
  const hash = createHash('sha256')
  for (const file of globSync(sources, { cwd: repoRoot }).sort())
    hash.update(file).update(readFileSync(join(repoRoot, file)))
  return hash.digest('hex')
}
