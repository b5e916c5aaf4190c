import { readFileSync } from 'node:fs'

export interface WatchedProcess {
  name: string
  pid: number
  isService: boolean
}

export interface ProcessUsage extends Omit<WatchedProcess, 'pid'> {
  /** The process used this much processor time per second. */
  msPerSecond: number
  /** The resident memory of the process was at most this large. */
  peakMiB: number
}

/** The processors and the memory were used like this within a window of time. */
export interface Usage {
  seconds: number
  processes: readonly ProcessUsage[]
  generatorMsPerSecond: number
  /** The host took this share of all processors for its other guests. */
  stealPercent: number
  /** Processes other than the product and the generator used this share of all processors. */
  othersPercent: number
  /** The services had this much memory at the end. Pages that processes share are divided among them (PSS). */
  servicesMiB: number
}

export interface Window {
  /** Both times are times of `Date.now()`. */
  fromMs: number
  untilMs: number
}

/** The counters run since the start of the machine or of a process, in clock ticks. */
export interface Reading {
  atMs: number
  total: number
  busy: number
  steal: number
  generator: number
  processes: readonly { ticks: number; residentMiB: number }[]
}

/** The files in /proc count this many clock ticks per second on every Linux on which Node runs. */
const ticksPerSecond = 100
const readEveryMs = 1000

/**
 * Watches processes of the product once a second until `end`, which returns their usage in a window or, without a
 * window, in the whole time. The generator is this process and its children. Returns null outside of Linux.
 */
export function watchUsage(processes: readonly WatchedProcess[], generatorPid: () => number | undefined) {
  if (process.platform !== 'linux') return null
  const readings = [read(processes, generatorPid())]
  const timer = setInterval(() => {
    try {
      readings.push(read(processes, generatorPid()))
    } catch {
      // A process has ended; `end` reads again and throws an error with its name.
      clearInterval(timer)
    }
  }, readEveryMs)
  return {
    end(window?: Window): Usage {
      clearInterval(timer)
      readings.push(read(processes, generatorPid()))
      const services = processes.filter(({ isService }) => isService)
      const servicesMiB = services.reduce((sum, { pid }) => sum + proportionalMiB(pid), 0)
      return { ...usageWithin(readings, processes, window), servicesMiB }
    },
  }
}

/** Returns the usage between the first and the last reading of a window. */
export function usageWithin(
  readings: readonly Reading[],
  processes: readonly Omit<WatchedProcess, 'pid'>[],
  { fromMs, untilMs }: Window = { fromMs: -Infinity, untilMs: Infinity },
): Omit<Usage, 'servicesMiB'> {
  const within = readings.filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs)
  const first = within[0]
  const last = within.at(-1)
  if (!first || !last || first === last)
    throw new Error('The window is too short: it has fewer than two readings.')
  const seconds = (last.atMs - first.atMs) / 1000
  const during = (of: (reading: Reading) => number) => of(last) - of(first)
  const own = (reading: Reading) =>
    reading.processes.reduce((sum, { ticks }) => sum + ticks, reading.generator)
  const percent = (ticks: number) => (100 * ticks) / during(({ total }) => total)
  const msPerSecond = (ticks: number) => (ticks * 1000) / ticksPerSecond / seconds
  return {
    seconds,
    processes: processes.map(({ name, isService }, index) => ({
      name,
      isService,
      msPerSecond: msPerSecond(during((reading) => reading.processes[index]?.ticks ?? NaN)),
      peakMiB: Math.max(...within.map((reading) => reading.processes[index]?.residentMiB ?? NaN)),
    })),
    generatorMsPerSecond: msPerSecond(during(({ generator }) => generator)),
    stealPercent: percent(during(({ steal }) => steal)),
    // The kernel counts the busy time and the time of processes separately, so the difference may be a tick below zero.
    othersPercent: percent(Math.max(0, during(({ busy }) => busy) - during(own))),
  }
}

function read(processes: readonly WatchedProcess[], generatorPid: number | undefined): Reading {
  const [, ...ticks] = firstLine('/proc/stat').split(/ +/).map(Number)
  const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softIrq = 0, steal = 0] = ticks
  // The time of an interrupt counts as busy, and also for the process that was interrupted.
  const busy = user + nice + system + irq + softIrq
  return {
    atMs: Date.now(),
    total: busy + idle + ioWait + steal,
    busy,
    steal,
    generator: generatorTicks(generatorPid),
    processes: processes.map(({ name, pid }) => {
      const { ticks, residentMiB } = readProcess(pid) ?? {}
      if (ticks === undefined || residentMiB === undefined)
        throw new Error(`${name} (process ${pid}) has ended.`)
      return { ticks, residentMiB }
    }),
  }
}

function generatorTicks(pid: number | undefined): number {
  const self = readProcess(process.pid)
  // The time of children that have ended is in `childTicks`, so k6 is read only while it runs.
  const running = pid === undefined ? undefined : readProcess(pid)
  return (self?.ticks ?? 0) + (self?.childTicks ?? 0) + (running?.ticks ?? 0)
}

function readProcess(pid: number) {
  try {
    const stat = firstLine(`/proc/${pid}/stat`)
    // The name in brackets may contain spaces. User and system time are the 12th and 13th field after it, followed by
    // the times of ended children.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number)
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const residentMiB = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
    return { ticks: user + system, childTicks: childUser + childSystem, residentMiB }
  } catch {
    return undefined
  }
}

const proportionalMiB = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024

const firstLine = (path: string): string => readFileSync(path, 'utf8').split('\n', 1)[0] ?? ''
