import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf } from './process-identity.ts'

/** One process of a run, as `npm run status` shows it. */
export interface PartRecord {
  name: string
  pid: number
  port: number
  /** Answers 200 when the part is ready; parts without one only have to listen. */
  healthUrl?: string
}

/** What a running product writes beside its data, for commands in other terminals and for the next start. */
export interface RunRecord {
  /** In the environment of every process of this run. */
  mark: string
  pid: number
  /** Identity of process `pid`, whose id may be reused later. */
  identity: string
  /** As a person types it: `npm start`. */
  command: string
  url: string
  startedAt: string
  /** Empty until all parts are ready. */
  parts: PartRecord[]
}

const fileOf = (dataDir: string) => join(dataDir, 'run.json')

/** The record of the run that uses the folder, or of one that was killed. */
export function readRunRecord(dataDir: string): RunRecord | null {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as RunRecord
  } catch {
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

/** Whether the process that started the run is alive. */
export const isSupervised = ({ pid, identity }: RunRecord): boolean => identityOf(pid) === identity
