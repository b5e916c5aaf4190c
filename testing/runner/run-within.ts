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
  /** Everything that the command prints is written to this file. */
  log: string
  /** True if the output is shown in this terminal as well. */
  echo?: boolean
  /** The command writes this file when its work is done, and must end within `endMs` after that. */
  report?: string
  endMs?: number
  /** A command that still runs this long after its first signal gets SIGKILL. */
  graceMs?: number
  /** True if the command runs at low priority. */
  isLow?: boolean
  /** Aborting this signal ends the command. The reason of the abort is the signal that the command receives first. */
  stop?: AbortSignal
}

/**
 * Runs a command in its own process group, and ends the group after it. A command that takes longer than its limit, or
 * does not end after its report, is ended as well; the code is then 1 and `ended` is the reason. Otherwise `ended` is
 * null.
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
  // A worker process that has not ended with the command would keep its services running.
  signalGroup('SIGKILL')
  clearTimeout(limit)
  clearInterval(watch)
  // A grandchild in another process group may keep the pipes open, so this waits no longer than a second.
  await Promise.race([closed, wait(1000)])
  await new Promise<void>((resolve) => log.end(resolve))
  return { code: ended === null ? code : 1, ended }
}
