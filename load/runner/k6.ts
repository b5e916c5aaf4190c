import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { goBinary } from '@sumlock/dev/engines/go-binary'
import { findOnPath } from '@sumlock/dev/processes/run'
import type { Progress } from '@sumlock/dev/processes/progress'
import { k6Program } from '../../ops/manifests/go-programs.ts'

/**
 * Returns the path of k6: the installed one (version 1 or newer), or one that Go compiles once into the user's cache.
 */
export async function k6Binary(progress: Progress): Promise<string> {
  const installed = await findOnPath('k6', /^k6(\.exe)? v[1-9]/)
  return installed ?? goBinary(k6Program, progress)
}

/**
 * For each metric, k6 reports `count` of a counter; `med`, `p(95)`, `p(99)`, `max` and `count` of a trend; or `value`
 * of a gauge.
 */
export interface Figures {
  metrics: Record<string, Record<string, number>>
  /** True if every threshold of the script was met. */
  held: boolean
}

/**
 * Runs a script to its end and shows k6's own summary. Rejects if k6 fails for another reason than a missed threshold.
 * `onStart` receives k6's process id.
 */
export async function runK6(
  k6: string,
  script: string,
  settings: Readonly<Record<string, string | number>>,
  onStart: (pid: number | undefined) => void,
): Promise<Figures> {
  const file = join(repoRoot, '.data/load/summary.json')
  const given = Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const summary = ['--summary-trend-stats=med,p(95),p(99),max,count', `--summary-export=${file}`]
  const args = ['run', '--no-usage-report', '--quiet', ...summary, ...given]
  // Ctrl-C reaches k6 through the terminal, and k6 still prints its summary.
  const ignore = () => undefined
  process.on('SIGINT', ignore)
  try {
    const child = spawn(k6, [...args, join(repoRoot, 'load', script)], { stdio: 'inherit' })
    onStart(child.pid)
    const [code] = (await once(child, 'close')) as [number | null]
    // k6 exits with 99 if a threshold was missed.
    if (code !== 0 && code !== 99)
      throw new Error(`k6 ended with exit code ${code}. Its output above shows the reason.`)
    const { metrics } = JSON.parse(await readFile(file, 'utf8')) as Pick<Figures, 'metrics'>
    return { metrics, held: code === 0 }
  } finally {
    process.off('SIGINT', ignore)
  }
}
