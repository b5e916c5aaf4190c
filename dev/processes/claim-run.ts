import { randomUUID } from 'node:crypto'
import { markChildren } from '../config.ts'
import { withFileLock } from './file-lock.ts'
import { endLeftovers } from './leftovers.ts'
import { identityOf } from './process-identity.ts'
import type { Progress } from './progress.ts'
import { isSupervised, readRunRecord, removeRunRecord, writeRunRecord } from './run-record.ts'
import type { PartRecord, RunRecord } from './run-record.ts'

/** A data folder that belongs to this process until it is released. */
export interface Run {
  /** Records the parts once they are ready. */
  update(parts: PartRecord[]): void
  release(): void
}

export interface RunClaim extends Pick<RunRecord, 'command' | 'url'> {
  dataDir: string
  progress: Progress
}

/** The refusal of a command that needs a data folder which a running product uses. */
export const runsAlready = ({ command, pid, url, startedAt }: RunRecord): string =>
  `The product is already running on this data (${command}, process ${pid}, since ${new Date(startedAt).toLocaleTimeString()}): ${url}. To end it: npm run stop`

/** Runs `work` while no other command starts, stops or deletes what is in the data folder. */
export const withDataFolder = <T>(dataDir: string, work: () => Promise<T>): Promise<T> =>
  withFileLock(`${dataDir}.lock`, work)

/**
 * Takes a data folder for this process and marks every child it starts from now on. Throws when a run is using the
 * folder. Ends the processes of a run that was killed, and no others.
 */
export function claimRun({ dataDir, progress, command, url }: RunClaim): Promise<Run> {
  return withDataFolder(dataDir, async () => {
    const last = readRunRecord(dataDir)
    if (last && isSupervised(last)) throw new Error(runsAlready(last))
    if (last) {
      const count = await endLeftovers(last.mark)
      progress(`The last ${last.command} was killed; ended ${count} processes it left running.`)
    }
    const record: RunRecord = {
      mark: randomUUID(),
      pid: process.pid,
      identity: identityOf(process.pid) ?? '',
      command,
      url,
      startedAt: new Date().toISOString(),
      parts: [],
    }
    const release = () => {
      process.off('exit', release)
      removeRunRecord(dataDir)
    }
    process.once('exit', release)
    writeRunRecord(dataDir, record)
    markChildren(record.mark)
    return { update: (parts) => writeRunRecord(dataDir, { ...record, parts }), release }
  })
}
