import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { childEnvironment } from '../config.ts'
import { answersOk, isListening } from './ports.ts'
import { sendSignal } from './process-identity.ts'

export interface ChildSpec {
  /** People are shown this name, such as `kafka` or `messaging-1`. The log is `<logDir>/<name>.log`. */
  name: string
  command: string
  args: readonly string[]
  cwd?: string
  env?: Readonly<Record<string, string>>
  logDir: string
  port: number
  /**
   * The process is ready when this address answers with success. Without an address, it only has to listen on its
   * port.
   */
  healthUrl?: string
  /** This check replaces `healthUrl` and the check of the port. */
  ready?: () => Promise<boolean>
}

/** A child process can be started, stopped, killed, paused and started again. */
export interface Child {
  readonly name: string
  readonly logFile: string
  readonly port: number
  readonly healthUrl: string | undefined
  readonly pid: number | undefined
  readonly running: boolean
  start(): Promise<void>
  /** Sends SIGTERM, and SIGKILL after 15 s. Resolves when the process is gone. */
  stop(): Promise<void>
  /** Sends any signal. With SIGKILL it resolves when the process is gone. */
  kill(signal: NodeJS.Signals): Promise<void>
  lastWords(count?: number): string[]
  /** Called when the process ends without `stop` or `kill`. The reason continues a sentence: "kafka was killed (SIGKILL)". */
  onUnexpectedExit(listener: (reason: string) => void): void
}

const alive = new Set<ChildProcess>()
// The children are killed however this process exits.
process.on('exit', () => {
  for (const child of alive) signalGroup(child, 'SIGKILL')
})

/** Signals the whole group, because a child may have children of its own. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined && alive.has(child)) sendSignal(-child.pid, signal)
}

// With util-linux's setpriv, the kernel kills a child when its parent ends. Exit handlers are not enough: they do not
// run after SIGKILL, and jest runs none of those that a test adds.
const dyingWithParent = ['setpriv', '--pdeathsig', 'KILL']
const hasSetpriv = spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true'], { stdio: 'ignore' }).status === 0

function launch({ command, args, cwd, env }: ChildSpec, logFile: string): ChildProcess {
  const log = openSync(logFile, 'a')
  const [program = command, ...rest] = [...(hasSetpriv ? dyingWithParent : []), command, ...args]
  const child = spawn(program, rest, {
    cwd,
    env: { ...childEnvironment(), ...env },
    stdio: ['ignore', log, log],
    // Ctrl-C in the terminal reaches only the parent.
    detached: true,
  })
  closeSync(log)
  return child
}

const exitReason = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `failed (exit code ${code})` : `was killed (${signal})`

export function createChild(spec: ChildSpec): Child {
  const { name, port, healthUrl } = spec
  const ready = spec.ready ?? (() => (healthUrl === undefined ? isListening(port) : answersOk(healthUrl)))
  const logFile = join(spec.logDir, `${name}.log`)
  let child: ChildProcess | undefined
  let expected = true
  let exited: Promise<void> = Promise.resolve()
  let logFrom = 0
  const listeners: ((reason: string) => void)[] = []
  const isRunning = () => child !== undefined && alive.has(child)
  const lastWords = (count?: number) => lastLines(logFile, count, logFrom)

  const start = async () => {
    if (isRunning()) throw new Error(`${name} is already running`)
    mkdirSync(spec.logDir, { recursive: true })
    rotate(logFile)
    logFrom = sizeOf(logFile)
    const started = launch(spec, logFile)
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
    // After this process has failed, an answer can only come from another process on the same port.
    const isReady = async () => failure === undefined && (await ready())
    await waitUntil(`${name} to be ready (log: ${logFile})`, isReady, {
      timeoutMs: 120_000,
      giveUp: () => {
        if (failure) throw new Error([`${name} ${failure} while starting`, ...lastWords()].join('\n'))
      },
    })
  }

  const kill = async (signal: NodeJS.Signals) => {
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') expected = true
    if (child) signalGroup(child, signal)
    if (signal === 'SIGKILL') await exited
  }

  const stop = async () => {
    if (!isRunning()) return
    const timer = setTimeout(() => void kill('SIGKILL'), 15_000)
    await kill('SIGTERM')
    // A paused process handles SIGTERM only after SIGCONT.
    await kill('SIGCONT')
    await exited
    clearTimeout(timer)
  }

  return {
    name,
    logFile,
    port,
    healthUrl,
    lastWords,
    get pid() {
      return child?.pid
    },
    get running() {
      return isRunning()
    },
    start,
    kill,
    stop,
    onUnexpectedExit: (listener) => listeners.push(listener),
  }
}

const rotateAtBytes = 20 * 1024 * 1024

/** Returns the last lines of a log after byte `from`, without blank ones. Returns none when there is no such file. */
export function lastLines(logFile: string, count = 15, from = 0): string[] {
  if (sizeOf(logFile) === 0) return []
  const lines = readFileSync(logFile).subarray(from).toString('utf8').split('\n')
  return lines
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .map((line) => line.slice(0, 400))
}

export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** Renames a large log to `<log>.1`. Call it before the process that writes the log starts. */
export function rotate(logFile: string): void {
  if (sizeOf(logFile) > rotateAtBytes) renameSync(logFile, `${logFile}.1`)
}
