import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createWriteStream, existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

export interface RunWithin {
  command: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  limitMs: number
  /** File that keeps everything the command prints. */
  log: string
  /** Shows the output in this terminal, too. */
  echo?: boolean
  /** The command writes this file when its work is done, and must end within `endMs` after that. */
  report?: string
  /** One minute when absent. */
  endMs?: number
  /** How long SIGTERM may take before SIGKILL: 30 s when absent. */
  graceMs?: number
  /** Called with the process, so that the caller can pass signals on to it. */
  started?: (child: ChildProcess) => void
}

export interface Outcome {
  code: number
  /** Why the command was ended from here; null when it ended by itself. */
  ended: string | null
}

/** Runs a command and returns its exit code. A command that hangs (past its limit, or after its report) is ended. */
export async function runWithin(options: RunWithin): Promise<Outcome> {
  const { command, cwd, env, graceMs = 30_000 } = options
  const [program = 'node', ...args] = command
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = createWriteStream(options.log)
  for (const output of [child.stdout, child.stderr]) {
    output.on('data', (chunk: Buffer) => {
      log.write(chunk)
      if (options.echo) process.stdout.write(chunk)
    })
  }
  options.started?.(child)
  const exit = new Promise<number>((resolve) => {
    child.once('error', () => resolve(1))
    child.once('exit', (code) => resolve(code ?? 1))
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const ended = await Promise.race([exit.then(() => null), hangs(options)])
  if (ended !== null) {
    child.kill('SIGTERM')
    await Promise.race([exit, wait(graceMs, undefined, { ref: false })])
    child.kill('SIGKILL')
  }
  const code = await exit
  // A grandchild that outlives the command keeps the pipes open.
  await Promise.race([closed, wait(1000)])
  await new Promise<void>((resolve) => log.end(resolve))
  return { code: ended === null ? code : 1, ended }
}

async function hangs({ limitMs, report, endMs = 60_000 }: RunWithin): Promise<string> {
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

const inWords = (ms: number) => (ms < 120_000 ? `${ms / 1000} s` : `${ms / 60_000} minutes`)
