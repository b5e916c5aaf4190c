import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inheritedEnvironment, repoRoot } from '@sumlock/dev/config'
import type { Figures } from './figures.ts'

export interface K6Run {
  k6: string
  scenario: string
  settings: Readonly<Record<string, string | number>>
}

/** Runs a scenario to its end, its output on the screen. Whether its thresholds held stands in the figures. */
export async function runK6({ k6, scenario, settings }: K6Run): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-load-'))
  const file = join(folder, 'figures.json')
  const all = { ...settings, FIGURES: file }
  const given = Object.entries(all).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const quiet = process.stderr.isTTY ? [] : ['--quiet']
  const args = ['run', '--no-usage-report', ...quiet, ...given, join(repoRoot, 'load', `${scenario}.js`)]
  try {
    const code = await ending(k6, args)
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      throw new Error(`k6 ended with ${code} before it had any figures; what it said stands above.`, {
        cause: error,
      })
    })
    const figures = JSON.parse(text) as Figures
    // A script that broke, or an interrupt: thresholds alone end k6 with 99.
    if (code !== 0 && figures.broken.length === 0)
      throw new Error(`k6 ended with ${code}; what it said stands above.`)
    return figures
  } finally {
    await rm(folder, { recursive: true })
  }
}

function ending(command: string, args: readonly string[]): Promise<number | string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env: inheritedEnvironment() })
    // Ctrl-C reaches k6 through the terminal, and it still says what it found.
    const wait = () => undefined
    process.on('SIGINT', wait)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      process.off('SIGINT', wait)
      resolve(code ?? signal ?? 1)
    })
  })
}
