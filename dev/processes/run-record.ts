import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf } from './process-identity.ts'
import type { Probe } from '../engines/probe.ts'

/** One process of a run, as `npm run status` shows it. */
export interface PartRecord {
  name: string
  pid: number | null
  state: 'running' | 'restarting'
  /** When it last became ready. */
  since: string
  restarts: number
  logFile: string
  probe: Probe
}

/** What a running product writes down beside its data, for the commands in other terminals and for the next start. */
export interface RunRecord {
  /** In the environment of every process of this run. */
  mark: string
  pid: number
  /** Of the supervising process: an id alone may belong to another one by now. */
  identity: string
  /** As a person types it: `npm start`. */
  command: string
  url: string
  startedAt: string
  logDir: string
  parts: PartRecord[]
}

const fileOf = (dataDir: string) => join(dataDir, 'run.json')

/** The record of the last run that did not end in order, or of the one that is running. */
export function readRunRecord(dataDir: string): RunRecord | null {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as RunRecord
  } catch {
    // None, or one cut short by a full disk: a run that goes on is then known by its ports.
    return null
  }
}

export function writeRunRecord(dataDir: string, record: RunRecord): void {
  mkdirSync(dataDir, { recursive: true })
  const part = `${fileOf(dataDir)}.part`
  writeFileSync(part, JSON.stringify(record, null, 2), { mode: 0o600 })
  renameSync(part, fileOf(dataDir))
}

export function removeRunRecord(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true })
}

/** Whether the run's supervising process is there: that very process, not a later one with its id. */
export const isSupervised = ({ pid, identity }: RunRecord): boolean => identityOf(pid) === identity
