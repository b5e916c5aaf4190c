import { readFileSync } from 'node:fs'

export interface Usage {
  name: string
  cpuSeconds: number
  /** Highest resident size since the process started. */
  peakMiB: number
}

/** Clock ticks of /proc/<pid>/stat per second: fixed on every Linux that Node runs on. */
const ticksPerSecond = 100

/** Starts to watch processes; the returned function reads what they have used since. Reads nothing outside Linux. */
export function watchUsage(processes: readonly { name: string; pid: number }[]): () => Usage[] {
  if (process.platform !== 'linux') return () => []
  const startedAt = processes.map(({ pid }) => cpuSeconds(pid))
  return () =>
    processes.map(({ name, pid }, index) => ({
      name,
      cpuSeconds: cpuSeconds(pid) - (startedAt[index] ?? 0),
      peakMiB: Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    }))
}

function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in brackets may hold blanks; user and system time are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}
