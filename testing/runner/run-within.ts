import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

export interface RunWithin {
  command: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  limitMs: number
  /** Once this file stands, the command has done its work and is to end within `endMs`. */
  report?: string
  /** One minute when absent. */
  endMs?: number
  /** How long SIGTERM may take before SIGKILL: 30 s when absent. */
  graceMs?: number
  /** Hears of the process, to pass signals on to it. */
  started?: (child: ChildProcess) => void
}

export interface Outcome {
  code: number
  /** Why it was ended from here; null when it ended by itself. */
  ended: string | null
}

/**
 * Runs a command in this terminal and answers with its exit code. One that hangs (past its limit, or with its report
 * written) is ended, so that it cannot hold up what comes after it for ever.
 */
export async function runWithin(options: RunWithin): Promise<Outcome> {
  const { command, cwd, env, limitMs, report, endMs = 60_000, graceMs = 30_000 } = options
  const [program = 'node', ...args] = command
  const child = spawn(program === 'node' ? process.execPath : program, args, { cwd, stdio: 'inherit', env })
  options.started?.(child)
  const exit = new Promise<number>((resolve) => {
    child.once('error', () => resolve(1))
    child.once('exit', (code) => resolve(code ?? 1))
  })
  const ended = await Promise.race([exit.then(() => null), hangs()])
  if (ended !== null) {
    child.kill('SIGTERM')
    await Promise.race([exit, wait(graceMs, undefined, { ref: false })])
    child.kill('SIGKILL')
  }
  const code = await exit
  return { code: ended === null ? code : 1, ended }

  async function hangs(): Promise<string> {
    const deadline = performance.now() + limitMs
    let reportedAt: number | undefined
    for (;;) {
      await wait(Math.min(500, limitMs, endMs), undefined, { ref: false })
      const now = performance.now()
      if (now > deadline) return `it took longer than ${inWords(limitMs)}`
      if (report && existsSync(report)) reportedAt ??= now
      if (reportedAt !== undefined && now > reportedAt + endMs) {
        return `it had written its report and did not end within ${inWords(endMs)}: a test left something running`
      }
    }
  }
}

const inWords = (ms: number) => (ms < 120_000 ? `${ms / 1000} s` : `${ms / 60_000} minutes`)
