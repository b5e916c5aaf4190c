import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { childEnvironment } from '../config.ts'
import { dyingWithParent } from './dying-with-parent.ts'
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

/** A process that can be started, stopped, killed, paused and started again. */
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
  /** The last lines it logged since its last start. */
  lastWords(count?: number): string[]
  /** Called when the process ends without `stop` or `kill`. The reason continues a sentence: "kafka was killed (SIGKILL)". */
  onUnexpectedExit(listener: (reason: string) => void): void
}

const alive = new Set<ChildProcess>()
// Kill the children on every kind of exit.
process.on('exit', () => {
  for (const child of alive) signalGroup(child, 'SIGKILL')
})

/** Signals the whole group, because a child may have children of its own. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || !alive.has(child)) return
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    // The child has ended, and its exit event has not arrived yet.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const exitReason = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `failed (exit code ${code})` : `was killed (${signal})`

/** Makes a child; `start` runs it. It is detached, so that Ctrl-C in the terminal reaches only its parent. */
export function createChild(spec: ChildSpec): Child {
  let child: ChildProcess | undefined
  let expected = true
  let exited: Promise<void> = Promise.resolve()
  let logFrom = 0
  const listeners: ((reason: string) => void)[] = []
  const lastWords = (count?: number) => lastLines(spec.logFile, count, logFrom)

  const start = async () => {
    if (child && alive.has(child)) throw new Error(`${spec.name} is already running`)
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
    // Once this process has failed, an answer comes from another process on the same port.
    const isReady = async () => failure === undefined && (await spec.ready())
    await waitUntil(`${spec.name} to be ready (log: ${spec.logFile})`, isReady, {
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
      // A paused process handles SIGTERM only after SIGCONT.
      await kill('SIGCONT')
      await exited
      clearTimeout(timer)
    },
    onUnexpectedExit: (listener) => listeners.push(listener),
  }
}
