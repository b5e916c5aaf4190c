import { randomUUID } from 'node:crypto'
import { markChildren } from '../config.ts'
import { withFileLock } from './file-lock.ts'
import { endLeftovers } from './leftovers.ts'
import { identityOf } from './process-identity.ts'
import type { Progress } from './progress.ts'
import { isSupervised, readRunRecord, removeRunRecord, writeRunRecord } from './run-record.ts'
import type { PartRecord, RunRecord } from './run-record.ts'

/** A data folder that is ours while this process lives. */
export interface Run {
  /** Writes down how the parts are. A full disk is borne: the record is then old, and the product goes on. */
  update(parts: PartRecord[]): void
  release(): void
}

export interface RunClaim {
  dataDir: string
  logDir: string
  command: string
  url: string
  progress: Progress
}

/** The sentence for somebody who wants what a running product holds. */
export const runsAlready = ({ command, pid, url, startedAt }: RunRecord): string =>
  `The product runs already on these data (${command}, process ${pid}, since ${new Date(startedAt).toLocaleTimeString()}): ${url}. To end it: npm run stop`

/** Serialises whoever wants to start, stop or delete what is in a data folder. */
export const withDataFolder = <T>(dataDir: string, work: () => Promise<T>): Promise<T> =>
  withFileLock(`${dataDir}.lock`, work)

/**
 * Takes a data folder for this process, and marks every child it starts from now on. Throws when a run is using the
 * folder; ends what a run left that was killed, and nothing else.
 */
export function claimRun({ dataDir, progress, ...about }: RunClaim): Promise<Run> {
  return withDataFolder(dataDir, async () => {
    const last = readRunRecord(dataDir)
    if (last && isSupervised(last)) throw new Error(runsAlready(last))
    if (last) {
      const count = await endLeftovers(last.mark)
      progress(
        `The last ${last.command} was killed; ${count === 0 ? 'it left nothing running' : `ended ${count} processes it left`}.`,
      )
    }
    const mark = randomUUID()
    const record: RunRecord = {
      ...{ mark, ...about, pid: process.pid, identity: identityOf(process.pid) ?? '' },
      ...{ startedAt: new Date().toISOString(), parts: [] },
    }
    writeRunRecord(dataDir, record)
    markChildren(mark)
    const release = () => removeRunRecord(dataDir)
    process.on('exit', release)
    return {
      update(parts) {
        try {
          writeRunRecord(dataDir, { ...record, parts })
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        }
      },
      release() {
        process.off('exit', release)
        release()
      },
    }
  })
}
