import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repoRoot } from '../config.ts'
import { withFileLock } from '../processes/file-lock.ts'
import { step } from '../processes/progress.ts'
import type { Progress } from '../processes/progress.ts'
import { run } from '../processes/run.ts'

const sources = ['web/src', 'web/public', 'libs/contracts/src', 'libs/sync/src']
const singles = [
  'web/index.html',
  'web/vite.config.ts',
  'web/package.json',
  'package-lock.json',
  'dev/product/build-web.ts',
]

/** Builds the web app when its sources changed since the last build; returns the folder to serve. */
export async function buildWeb(progress: Progress): Promise<string> {
  const dist = join(repoRoot, 'web/dist')
  const stamp = join(dist, '.sources')
  const hash = await hashSources()
  const isFresh = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
  if (isFresh()) return dist
  // `npm start` and `npm test` may both want it.
  await withFileLock(join(repoRoot, '.data/build-web.lock'), async () => {
    if (isFresh()) return
    await step(progress, 'Building the web app', async () => {
      const vite = join(repoRoot, 'node_modules/vite/bin/vite.js')
      // A test that starts the product says NODE_ENV=test, with which Vite would build for development.
      const env = { NODE_ENV: 'production' }
      await run(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: join(repoRoot, 'web'), env })
      writeFileSync(stamp, hash)
    })
  })
  return dist
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  const files = [...singles]
  for (const folder of sources) {
    if (!existsSync(join(repoRoot, folder))) continue
    const entries = await readdir(join(repoRoot, folder), { recursive: true, withFileTypes: true })
    files.push(
      ...entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)),
    )
  }
  for (const file of files.sort()) {
    const path = file.startsWith('/') ? file : join(repoRoot, file)
    if (existsSync(path)) hash.update(file.replace(repoRoot, '')).update(await readFile(path))
  }
  return hash.digest('hex')
}
