import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { childEnvironment } from '../config.ts'
import { dyingWithParent } from './dying-with-parent.ts'
import { exitReason } from './exit-reason.ts'
import { lastLines, rotate, sizeOf } from './log-tail.ts'
import { identityOf } from './process-identity.ts'
import { waitUntil } from '@sumlock/deployment/wait-until'

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
  /** The end of what it logged since its last start. */
  lastWords(count?: number): string[]
  /** Called when the process ends without having been asked to, with words that continue "kafka …". */
  onUnexpectedExit(listener: (reason: string) => void): void
}

const alive = new Set<ChildProcess>()
// The last net: whatever way this process ends, nothing of ours stays behind.
process.on('exit', () => {
  for (const child of alive) signalGroup(child, 'SIGKILL')
})

/** To the whole group: a child may have children of its own. */
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
  let logFrom = 0
  const listeners: ((reason: string) => void)[] = []
  const lastWords = (count?: number) => lastLines(spec.logFile, count, logFrom)

  const start = async () => {
    if (child && alive.has(child)) throw new Error(`${spec.name} is running already`)
    mkdirSync(dirname(spec.logFile), { recursive: true })
    rotate(spec.logFile)
    logFrom = sizeOf(spec.logFile)
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
      started.once('error', (error) => ended(`could not be started: ${error.message}`))
      started.once('exit', (code, signal) => ended(exitReason(code, signal)))
    })
    // Another process may answer in the place of one that is gone.
    const isReady = async () => failure === undefined && (await spec.ready())
    await waitUntil(`${spec.name} to be ready (log: ${spec.logFile})`, () => isReady(), {
      timeoutMs: spec.readyTimeoutMs ?? 120_000,
      giveUp: () => {
        if (failure) throw new Error([`${spec.name} ${failure} while starting`, ...lastWords()].join('\n'))
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
    lastWords,
    get pid() {
      return child?.pid
    },
    get running() {
      return (
        child !== undefined && alive.has(child) && child.pid !== undefined && identityOf(child.pid) !== null
      )
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
