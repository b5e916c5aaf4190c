import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** Whether this system shows its processes as files (Linux). */
export const hasProc = existsSync('/proc/self/stat')

/**
 * What tells a process from a later one with the same id: when it was started, and in which run of the machine.
 * Null when there is no such process, also when it has ended and only its parent has not looked yet.
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
    // The name in brackets may hold blanks and brackets.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // Its first thread may have ended before the others, which still hold its files and ports.
    const hasEnded = (state === 'Z' || state === 'X') && Number(fields[16]) <= 1
    if (hasEnded) return null
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[18]}`
  } catch {
    return null
  }
}
