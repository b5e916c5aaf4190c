import { readFileSync, writeFileSync } from 'node:fs'

export interface Measured {
  name: string
  pid: number
}

export interface Usage {
  name: string
  cpuSeconds: number
  /** Highest resident size since the watch began, in MiB; null where there is no single process. */
  peakMiB: number | null
}

/** Clock ticks of /proc/<pid>/stat per second: fixed on every Linux that Node runs on. */
const ticksPerSecond = 100

/** The row for all other processes: runs with very different values here cannot be compared. */
export const everythingElse = 'everything else'

/** Starts to watch processes; call the result to read what they used since. Linux only. */
export function watchUsage(processes: readonly Measured[]): () => Usage[] {
  const startedAt = new Map(processes.map(({ pid }) => [pid, cpuSeconds(pid)]))
  const machineStartedAt = machineSeconds()
  for (const { pid } of processes) resetPeak(pid)
  return () => {
    const used = processes.map(({ name, pid }) => ({
      name,
      cpuSeconds: cpuSeconds(pid) - (startedAt.get(pid) ?? 0),
      peakMiB: Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    }))
    const ours = used.reduce((sum, entry) => sum + entry.cpuSeconds, 0)
    const others = Math.max(0, machineSeconds() - machineStartedAt - ours)
    return [...used, { name: everythingElse, cpuSeconds: others, peakMiB: null }]
  }
}

/** Seconds in which any processor did anything: all but the idle and waiting columns, and guests, counted twice there. */
function machineSeconds(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
  const [user, nice, system, , , irq, softIrq, steal] = line.trim().split(/\s+/).slice(1).map(Number)
  return (
    [user, nice, system, irq, softIrq, steal].reduce<number>((sum, ticks) => sum + (ticks ?? 0), 0) /
    ticksPerSecond
  )
}

function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in brackets may hold blanks; user and system time are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

function resetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // Another user's process: its peak counts from its start, which is never too low.
  }
}
