import { readdirSync, readFileSync } from 'node:fs'
import { runMarkName } from '../config.ts'
import { identityOf } from './process-identity.ts'
import { waitUntil } from '@sumlock/deployment/wait-until'

/**
 * Processes that were started, directly or not, by the run with this mark: they carry it in their environment, which
 * no other process does, whatever ids were used again since. Empty where the system does not show it (no /proc).
 */
export function markedProcesses(mark: string): number[] {
  return processIds().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${runMarkName}=${mark}`)
    } catch {
      // Gone, or somebody else's.
      return false
    }
  })
}

/** All process ids of this machine; empty without /proc. */
export function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

/**
 * Ends what a run left behind: SIGTERM, and SIGKILL for what is still there after `graceMs`. Resolves with how many
 * there were when none is left. Looks for the mark again before every signal.
 */
export async function endLeftovers(mark: string, graceMs = 5000): Promise<number> {
  const found = markedProcesses(mark).map((pid) => ({ pid, identity: identityOf(pid) }))
  signalMarked(mark, 'SIGTERM')
  signalMarked(mark, 'SIGCONT')
  // A process that is ending loses its environment, and with it the mark, before it lets go of its files and ports.
  const areGone = () =>
    markedProcesses(mark).length === 0 &&
    found.every(({ pid, identity }) => identity === null || identityOf(pid) !== identity)
  await waitUntil('the leftovers to end', areGone, { timeoutMs: graceMs }).catch(() =>
    waitUntil('the leftovers to be gone', () => {
      signalMarked(mark, 'SIGKILL')
      return areGone()
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
