import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { engineCache, repoRoot } from '@sumlock/dev/config'
import { cached } from '@sumlock/dev/engines/fetch-engine'
import type { Progress } from '@sumlock/dev/processes/progress'
import { findOnPath, run } from '@sumlock/dev/processes/run'

const version = '1.8.1'
const module = `go.k6.io/k6@v${version}`

/** Path of k6: the installed one (1 or newer), or one that Go builds once into the user's cache. */
export async function k6Binary(progress: Progress): Promise<string> {
  const installed = await findOnPath('k6', /^k6(\.exe)? v[1-9]/)
  if (installed) return installed
  const tool = {
    name: `k6-${version}`,
    title: `Building k6 ${version} with Go (minutes, once)`,
    bytes: 2e9,
    progress,
    cache: join(dirname(engineCache), 'tools'),
  }
  const folder = await cached(tool, async (part) => {
    await run('go', ['version']).catch((error: unknown) => {
      throw new Error('Neither k6 nor Go is installed: put k6 1 or newer on PATH, or install Go.', {
        cause: error,
      })
    })
    await run('go', ['install', module], { env: { GOBIN: part } })
  })
  return join(folder, 'k6')
}

/** What k6 measured: `count` of a counter; `med`, `p(95)`, `p(99)` and `max` of a trend. */
export interface Figures {
  metrics: Record<string, Record<string, number>>
  /** Whether every threshold of the script held. */
  held: boolean
}

const thresholdsBroken = 99

/** Runs a script to its end with k6's own summary on the screen. Rejects when the script itself broke. */
export async function runK6(
  k6: string,
  script: string,
  settings: Readonly<Record<string, string | number>>,
): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-load-'))
  const file = join(folder, 'summary.json')
  const given = Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const args = ['run', '--no-usage-report', '--quiet', `--summary-export=${file}`, ...given]
  // Ctrl-C reaches k6 through the terminal, and k6 still prints its summary.
  const ignore = () => undefined
  process.on('SIGINT', ignore)
  try {
    const child = spawn(k6, [...args, join(repoRoot, 'load', script)], { stdio: 'inherit' })
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0 && code !== thresholdsBroken) throw new Error(`k6 ended with ${code}; see its output.`)
    const { metrics } = JSON.parse(await readFile(file, 'utf8')) as Pick<Figures, 'metrics'>
    return { metrics, held: code === 0 }
  } finally {
    process.off('SIGINT', ignore)
    await rm(folder, { recursive: true })
  }
}
