import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { childEnvironment } from './config.ts'
import { dyingWithParent } from './dying-with-parent.ts'
import { isRunning } from './file-lock.ts'
import { waitUntil } from './wait-until.ts'

export interface ChildSpec {
  /** Shown to people: `kafka`, `messaging-1`. */
  name: string
  command: string
  args: readonly string[]
  cwd?: string
  env?: Readonly<Record<string, string>>
  logFile: string
  /** Resolves true once the process does its work. Polled. */
  ready: () => Promise<boolean>
  readyTimeoutMs?: number
  /** How long SIGTERM may take before SIGKILL. */
  stopTimeoutMs?: number
}

/** A process of ours that can be started, stopped, killed and started again. */
export interface Child {
  readonly name: string
  readonly logFile: string
  readonly pid: number | undefined
  readonly running: boolean
  start(): Promise<void>
  /** SIGTERM, then SIGKILL; resolves when the process is gone. */
  stop(): Promise<void>
  /** Sends a signal, SIGSTOP and SIGCONT included; with SIGKILL it resolves when the process is gone. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Called when the process ends without having been asked to. */
  onUnexpectedExit(listener: (reason: string) => void): void
}

const alive = new Set<ChildProcess>()
// The last net: whatever way this process ends, nothing of ours stays behind.
process.on('exit', () => {
  for (const child of alive) signalGroup(child, 'SIGKILL')
})

/** To the whole group: under `node --watch` the service is a child of our child. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || !alive.has(child)) return
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    // It ended a moment ago and its exit is not reported yet.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Makes a child; `start` runs it. It is detached, so that a Ctrl-C in the terminal reaches only its parent. */
export function createChild(spec: ChildSpec): Child {
  let child: ChildProcess | undefined
  let expected = true
  let exited: Promise<void> = Promise.resolve()
  const listeners: ((reason: string) => void)[] = []

  const start = async () => {
    if (child && alive.has(child)) throw new Error(`${spec.name} is running already`)
    mkdirSync(dirname(spec.logFile), { recursive: true })
    const log = openSync(spec.logFile, 'a')
    const [command, ...args] = dyingWithParent([spec.command, ...spec.args])
    const started = spawn(command, args, {
      cwd: spec.cwd,
      env: { ...childEnvironment(), ...spec.env },
      stdio: ['ignore', log, log],
      detached: true,
    })
    closeSync(log)
    child = started
    expected = false
    alive.add(started)
    let failure: string | undefined
    exited = new Promise((resolve) => {
      const ended = (reason: string) => {
        alive.delete(started)
        failure = reason
        if (!expected) for (const listener of listeners) listener(reason)
        resolve()
      }
      started.once('error', (error) => ended(error.message))
      started.once('exit', (code, signal) => ended(signal ? `signal ${signal}` : `exit code ${code}`))
    })
    await waitUntil(`${spec.name} to be ready (log: ${spec.logFile})`, spec.ready, {
      timeoutMs: spec.readyTimeoutMs ?? 60_000,
      giveUp: () => {
        if (failure)
          throw new Error(`${spec.name} ended while starting: ${failure}\n${lastLines(spec.logFile)}`)
      },
    })
  }

  const kill = async (signal: NodeJS.Signals) => {
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') expected = true
    if (child) signalGroup(child, signal)
    if (signal === 'SIGKILL') await exited
  }

  return {
    name: spec.name,
    logFile: spec.logFile,
    get pid() {
      return child?.pid
    },
    get running() {
      return child !== undefined && alive.has(child) && child.pid !== undefined && isRunning(child.pid)
    },
    start,
    kill,
    async stop() {
      if (!child || !alive.has(child)) return
      const timer = setTimeout(() => void kill('SIGKILL'), spec.stopTimeoutMs ?? 15_000)
      await kill('SIGTERM')
      // One that was paused would not see it.
      await kill('SIGCONT')
      await exited
      clearTimeout(timer)
    },
    onUnexpectedExit: (listener) => listeners.push(listener),
  }
}

/** The end of a log, for an error message. */
export function lastLines(logFile: string, count = 15): string {
  try {
    return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-count).join('\n')
  } catch {
    return ''
  }
}
