import { readFileSync } from 'node:fs'

/** A tick of the kernel's accounting; 100 a second on Linux. */
const tickMs = 10

/** Processor time that a running process has used, in milliseconds, user and system. */
export function processorMs(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in brackets may hold blanks. User and system time are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return tickMs * (Number(fields[11]) + Number(fields[12]))
}
