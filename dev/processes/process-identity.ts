import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const hasProc = existsSync('/proc/self/stat')

/**
 * Distinguishes a process from a later one with the same id, by its start time and the boot of the machine. Null when there
 * is no such process, or when it has ended and its parent has not reaped it yet.
 */
export function identityOf(pid: number): string | null {
  if (!hasProc)
    return (
      spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)])
        .stdout.toString()
        .trim() || null
    )
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name, in brackets, may itself contain spaces and brackets.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // The first thread may end before the others, which still hold the files and ports of the process.
    const hasEnded = (state === 'Z' || state === 'X') && Number(fields[16]) <= 1
    if (hasEnded) return null
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[18]}`
  } catch {
    return null
  }
}

/** Signals a process, or with a negative id a group of processes. A process that has already ended is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
