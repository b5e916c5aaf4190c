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

/** The record that a running product keeps next to its data, for other commands and for the next start. */
export interface RunRecord {
  /** The mark in the environment of every process of this run. */
  mark: string
  pid: number
  /** Identity of process `pid`, whose id may be reused later. */
  identity: string
  /** The command as a person types it: `npm start`. */
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

/** Only the owner may read it: it holds databases, mails and keys. */
function closeToOthers(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  chmodSync(dataDir, 0o700)
}

export function removeRunRecord(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true })
}

export const isSupervised = ({ pid, identity }: RunRecord): boolean => identityOf(pid) === identity

/** The refusal of a command that needs a data folder which a running product uses. */
export const runsAlready = ({ command, pid, url, startedAt }: RunRecord): string =>
  `The product is already running on this data (${command}, process ${pid}, since ${new Date(startedAt).toLocaleTimeString()}): ${url}. To end it: npm run stop`

/** Runs `work` while no other command starts, stops or deletes what is in the data folder. */
export const withDataFolder = <T>(dataDir: string, work: () => Promise<T>): Promise<T> =>
  withFileLock(`${dataDir}.lock`, work)

/** A data folder that belongs to this process until it is released. */
export interface Run {
  update(parts: readonly Child[]): void
  release(): void
}

/**
 * Takes a data folder for this process and marks every child it starts from now on. Throws when a run is using the
 * folder. Ends the processes of a run that was killed, and no others.
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
