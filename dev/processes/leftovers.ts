import { globSync, readFileSync } from 'node:fs'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { runMarkName } from '../config.ts'
import { identityOf, sendSignal } from './process-identity.ts'

/** Returns the processes with this mark in their environment; none on systems without /proc. */
export const markedProcesses = (mark: string): number[] =>
  globSync('[0-9]*', { cwd: '/proc' })
    .map(Number)
    .filter((pid) => environmentOf(pid).includes(`${runMarkName}=${mark}`))

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    // The process has ended, or belongs to another user.
    return []
  }
}

/** Ends the processes that a run left running: SIGTERM, then SIGKILL after `graceMs`. Returns their number. */
export async function endLeftovers(mark: string, graceMs = 5000): Promise<number> {
  const found = markedProcesses(mark).map((pid) => ({ pid, identity: identityOf(pid) }))
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of markedProcesses(mark)) sendSignal(pid, signal)
  }
  // A process that is ending loses its environment before it releases its files and ports.
  const haveEnded = () =>
    markedProcesses(mark).length === 0 &&
    found.every(({ pid, identity }) => identity === null || identityOf(pid) !== identity)
  signalAll('SIGTERM')
  signalAll('SIGCONT')
  await waitUntil('the end of the leftovers', haveEnded, { timeoutMs: graceMs }).catch(() =>
    waitUntil('the end of the leftovers after SIGKILL', () => {
      signalAll('SIGKILL')
      return haveEnded()
    }),
  )
  return found.length
}
