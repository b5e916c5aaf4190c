import { spawn } from 'node:child_process'
import { createWriteStream, existsSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { sendSignal } from '@sumlock/dev/processes/process-identity'

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
  endMs?: number
  /** The time between SIGTERM and SIGKILL. */
  graceMs?: number
  /** Runs the command at low priority. */
  isLow?: boolean
  /** Its abort ends the command; the reason is the signal that it gets first. */
  stop?: AbortSignal
}

/**
 * Runs a command in a process group of its own and ends the group with it. Also ends a command that hangs (past its
 * limit, or after its report): then the code is 1 and `ended` is the reason; otherwise `ended` is null.
 */
export async function runWithin(options: RunWithin): Promise<{ code: number; ended: string | null }> {
  const { command, cwd, env, limitMs, report, endMs = 60_000, graceMs = 30_000 } = options
  const [program = 'node', ...args] = command
  const executable = program === 'node' ? process.execPath : program
  const child = spawn(executable, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  if (options.isLow && child.pid !== undefined) setPriority(child.pid, 10)
  const signalGroup = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined) sendSignal(-child.pid, signal)
  }
  const log = createWriteStream(options.log)
  for (const output of [child.stdout, child.stderr]) {
    output.on('data', (chunk: Buffer) => {
      log.write(chunk)
      if (options.echo) process.stdout.write(chunk)
    })
  }
  const exit = new Promise<number>((resolve) => {
    child.once('error', () => resolve(1))
    child.once('exit', (code) => resolve(code ?? 1))
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))

  let ended: string | null = null
  let hasExited = false
  const signalThenKill = (signal: NodeJS.Signals) => {
    signalGroup(signal)
    setTimeout(() => !hasExited && signalGroup('SIGKILL'), graceMs).unref()
  }
  const end = (reason: string) => {
    ended ??= reason
    signalThenKill('SIGTERM')
  }
  options.stop?.addEventListener('abort', () => signalThenKill(options.stop?.reason as NodeJS.Signals))
  const limit = setTimeout(end, limitMs, `it took longer than ${limitMs / 1000} s`)
  const lateEnd = `it had written its report and did not end within ${endMs / 1000} s: a test left something running`
  const watch = setInterval(() => {
    if (report === undefined || !existsSync(report)) return
    clearInterval(watch)
    setTimeout(end, endMs, lateEnd).unref()
  }, 250)
  const code = await exit
  hasExited = true
  // A worker that outlives the command would keep its services running.
  signalGroup('SIGKILL')
  clearTimeout(limit)
  clearInterval(watch)
  // A grandchild in a group of its own keeps the pipes open.
  await Promise.race([closed, wait(1000)])
  await new Promise<void>((resolve) => log.end(resolve))
  return { code: ended === null ? code : 1, ended }
}
