import { readdirSync, readFileSync } from 'node:fs'
import { runMarkName } from '../config.ts'
import { identityOf } from './process-identity.ts'
import { waitUntil } from '@sumlock/deployment/wait-until'

/**
 * Processes that the run with this mark started, directly or not: the mark is in their environment. Empty on systems
 * without /proc.
 */
export function markedProcesses(mark: string): number[] {
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch {
    return []
  }
  return names.flatMap((name) => (/^\d+$/.test(name) && hasMark(name, mark) ? Number(name) : []))
}

function hasMark(pid: string, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${runMarkName}=${mark}`)
  } catch {
    // It has ended, or belongs to another user.
    return false
  }
}

/**
 * Ends what a run left running: SIGTERM, then SIGKILL for what is still there after `graceMs`. Returns their number
 * when all have ended.
 */
export async function endLeftovers(mark: string, graceMs = 5000): Promise<number> {
  const found = markedProcesses(mark).map((pid) => ({ pid, identity: identityOf(pid) }))
  signalMarked(mark, 'SIGTERM')
  signalMarked(mark, 'SIGCONT')
  // A process that is ending loses its environment before it releases its files and ports.
  const haveEnded = () =>
    markedProcesses(mark).length === 0 &&
    found.every(({ pid, identity }) => identity === null || identityOf(pid) !== identity)
  await waitUntil('the end of the leftovers', haveEnded, { timeoutMs: graceMs }).catch(() =>
    waitUntil('the end of the leftovers after SIGKILL', () => {
      signalMarked(mark, 'SIGKILL')
      return haveEnded()
    }),
  )
  return found.length
}

function signalMarked(mark: string, signal: NodeJS.Signals): void {
  for (const pid of markedProcesses(mark)) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
