import { readFileSync } from 'node:fs'

/** The Linux kernel counts processor time in ticks of this length. */
const tickMs = 10

/** Returns the processor time, user and system, that a running process has used, in milliseconds. */
export function processorMs(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in brackets may contain spaces. User and system time are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return tickMs * (Number(fields[11]) + Number(fields[12]))
}
