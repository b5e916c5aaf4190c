import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { markChildren } from '../config.ts'
import type { Child } from './child.ts'
import { withFileLock } from './file-lock.ts'
import { endLeftovers } from './leftovers.ts'
import { identityOf } from './process-identity.ts'
import type { Progress } from './progress.ts'

export type PartRecord = Pick<Child, 'name' | 'port' | 'healthUrl'> & { pid: number }

/** A running product keeps this record next to its data, for other commands and for the next start. */
export interface RunRecord {
  /** Every process of this run has the mark in its environment. */
  mark: string
  pid: number
  /** The identity tells process `pid` from a later one with the same id. */
  identity: string
  /** The value is the command as a person types it: `npm start`. */
  command: string
  url: string
  startedAt: string
  /** The list is empty until all parts are ready. */
  parts: PartRecord[]
}

const fileOf = (dataDir: string) => join(dataDir, 'run.json')

/** Returns the record of the run that uses the folder, or of one that was killed; null when there is none. */
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

/** Only the owner may read the data folder, because it contains databases, mails and keys. */
function closeToOthers(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  chmodSync(dataDir, 0o700)
}

export function removeRunRecord(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true })
}

export const isSupervised = ({ pid, identity }: RunRecord): boolean => identityOf(pid) === identity

/** Returns the error text for a command that needs the data folder of a running product. */
export const runsAlready = ({ command, pid, url, startedAt }: RunRecord): string =>
  `The product is already running on this data (${command}, process ${pid}, since ${new Date(startedAt).toLocaleTimeString()}): ${url}. To end it: npm run stop`

/** Runs `work` while no other command can claim or reset the data folder. */
export const withDataFolder = <T>(dataDir: string, work: () => Promise<T>): Promise<T> =>
  withFileLock(`${dataDir}.lock`, work)

/** The data folder belongs to this process until `release`. */
export interface Run {
  update(parts: readonly Child[]): void
  release(): void
}

/**
 * Claims a data folder for this process, and marks every child that starts later. Throws while another run uses the
 * folder. Ends the processes that a killed run has left.
 */
export function claimRun(
  dataDir: string,
  { command, url }: Pick<RunRecord, 'command' | 'url'>,
  progress: Progress,
): Promise<Run> {
  return withDataFolder(dataDir, async () => {
    const last = readRunRecord(dataDir)
    if (last && isSupervised(last)) throw new Error(runsAlready(last))
    if (last) {
      const count = await endLeftovers(last.mark)
      progress(`The last ${last.command} was killed; ended ${count} processes it left running.`)
    }
    const record = {
      mark: randomUUID(),
      pid: process.pid,
      identity: identityOf(process.pid) ?? '',
      command,
      url,
      startedAt: new Date().toISOString(),
    }
    const update = (parts: readonly Child[]) => {
      const own = parts.map(({ name, pid = 0, port, healthUrl }) => ({ name, pid, port, healthUrl }))
      writeRunRecord(dataDir, { ...record, parts: own })
    }
    const release = () => {
      process.off('exit', release)
      removeRunRecord(dataDir)
    }
    process.once('exit', release)
    closeToOthers(dataDir)
    update([])
    markChildren(record.mark)
    return { update, release }
  })
}
