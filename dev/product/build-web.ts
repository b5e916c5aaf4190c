import { join } from 'node:path'
import { repoRoot } from '../config.ts'
import { step } from '../processes/progress.ts'
import type { Progress } from '../processes/progress.ts'
import { run } from '../processes/run.ts'
import { buildIfChanged } from './build-if-changed.ts'

const sources = [
  'web/*.{html,ts,json}',
  'web/{src,public}/**/*.*',
  'libs/{contracts,sealing,sync}/src/**/*.*',
  'package-lock.json',
]

/** Builds the web app if its sources have changed since the last build. Returns the folder to serve. */
export async function buildWeb(progress: Progress): Promise<string> {
  const dist = join(repoRoot, 'web/dist')
  const vite = join(repoRoot, 'node_modules/vite/bin/vite.js')
  const build = () =>
    run(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
      cwd: join(repoRoot, 'web'),
      // A test run sets NODE_ENV=test, with which Vite would build for development.
      env: { NODE_ENV: 'production' },
    })
  await buildIfChanged({
    stamp: join(dist, '.sources'),
    sources,
    build: () => step(progress, 'Building the web app', build),
  })
  return dist
}
