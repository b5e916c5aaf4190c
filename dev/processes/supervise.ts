import { setTimeout as wait } from 'node:timers/promises'
import type { Child } from './child.ts'
import type { Probe } from '../engines/probe.ts'
import type { PartRecord } from './run-record.ts'

export interface BackOff {
  firstMs: number
  mostMs: number
  /** Up for so long, a child starts from `firstMs` again. */
  healthyMs: number
}

export interface SupervisorOptions {
  /** Gets what a person should know, one or several lines. */
  report: (text: string) => void
  /** Called whenever the state of a part changed. */
  onChange?: (parts: PartRecord[]) => void
  /** A likely cause from outside the process, such as a full disk; asked when a child died. */
  cause?: () => string | null
  backOff?: BackOff
}

export interface Supervisor {
  /** Looks after a child that was started. */
  watch(child: Child, probe: Probe): void
  /** Stops a watched child and starts it again. */
  restart(name: string): Promise<void>
  /** From now on nothing is started again. */
  stop(): void
}

interface Watched {
  child: Child
  probe: Probe
  restarts: number
  readyAt: Date
  /** It was ready since its last start. */
  wasReady: boolean
  delayMs: number
  /** Aborted when the wait for the next start is over some other way. */
  waiting: AbortController
  /** Counts starts and wishes for one, so that only the newest goes on. */
  turn: number
}

const usual: BackOff = { firstMs: 500, mostMs: 30_000, healthyMs: 60_000 }

/** Names children that die, with the reason and the end of their log, and starts them again with back-off. */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { report, onChange, cause, backOff = usual } = options
  const watched = new Map<string, Watched>()
  let stopped = false
  const changed = () => onChange?.([...watched.values()].map(toRecord))

  const start = async (part: Watched) => {
    const { child } = part
    const turn = ++part.turn
    part.restarts += 1
    try {
      await child.start()
      part.readyAt = new Date()
      part.wasReady = true
      if (!stopped) report(`${child.name} is back.`)
    } catch (error) {
      // One that ended is reported as such; one that only takes long is left to go on.
      if (turn === part.turn && child.running && !stopped)
        report(`${child.name} does not get ready: ${(error as Error).message}`)
    }
    changed()
  }

  const ended = async (part: Watched, reason: string) => {
    if (stopped) return
    const { child } = part
    const upMs = part.wasReady ? Date.now() - part.readyAt.getTime() : 0
    if (upMs > backOff.healthyMs) part.delayMs = backOff.firstMs
    part.wasReady = false
    const delayMs = part.delayMs
    part.delayMs = Math.min(2 * delayMs, backOff.mostMs)
    const because = cause?.() ?? null
    report(
      [
        `${child.name} ${reason}; starting it again in ${delayMs / 1000} s.`,
        ...(because === null ? [] : [because]),
        ...child.lastWords(5).map((line) => `  | ${line}`),
        `  its log: ${child.logFile}`,
      ].join('\n'),
    )
    changed()
    part.waiting = new AbortController()
    const { signal } = part.waiting
    const waited = await wait(delayMs, true, { signal }).catch(() => false)
    if (waited && !stopped) await start(part)
  }

  return {
    watch(child, probe) {
      const waiting = new AbortController()
      const state = { restarts: 0, readyAt: new Date(), wasReady: true, delayMs: backOff.firstMs, turn: 0 }
      const part = { child, probe, waiting, ...state }
      watched.set(child.name, part)
      child.onUnexpectedExit((reason) => void ended(part, reason))
      if (child.running) changed()
      else void ended(part, 'ended')
    },
    async restart(name) {
      const part = watched.get(name)
      if (!part) throw new Error(`Nothing called ${name} is watched`)
      const turn = ++part.turn
      part.waiting.abort()
      await part.child.stop()
      if (!stopped && turn === part.turn) await start(part)
    },
    stop() {
      stopped = true
      for (const { waiting } of watched.values()) waiting.abort()
    },
  }
}

const toRecord = ({ child, probe, restarts, readyAt }: Watched): PartRecord => ({
  ...{ name: child.name, probe, restarts, logFile: child.logFile, since: readyAt.toISOString() },
  pid: child.running ? (child.pid ?? null) : null,
  state: child.running ? 'running' : 'restarting',
})
