import { performance } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** A full collection that gives pages back; takes 0.03 to 0.15 s. Needs `--expose-gc` (service-runtime.env). */
const collect = () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })

/** Gives back what loading the code has left behind, 10 to 16 MB; called before the ports open. */
export const dropLoadingGarbage = (): unknown => collect()

const checkEveryMs = 2000
/** Shares of time in which the event loop did something. */
const busyAbove = 0.6
const idleBelow = 0.02
/** Bytes, besides a tenth of what the last collection left. */
const grownBy = 2 * 2 ** 20

/** Bytes of all objects and code that outlived the young generation, garbage included. */
const oldBytes = () =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => !space_name.startsWith('new_'))
    .reduce((sum, { physical_space_size }) => sum + physical_space_size, 0)

/** The young generation keeps its first size (`--min-semi-space-size`), and the old one is collected when it has grown by 30 %. */
const calm = ['--semi-space-growth-factor=1', '--heap-growing-percent=30']
/** The young generation may grow to `--max-semi-space-size` (service-runtime.env), and the old one to twice its size. */
const busy = ['--semi-space-growth-factor=2', '--heap-growing-percent=100']

/**
 * Small generations need little memory; but when many requests are under way, their objects outlive a small young generation, and
 * collecting takes a third of the time of a gateway at its limit (ADR 32). So both may grow while the process is busy, and only
 * then. V8 gives nothing back while few objects are allocated: what has grown is collected in the next idle moment.
 */
export function fitMemoryToLoad(everyMs = checkEveryMs): void {
  let isBusy = false
  let kept = oldBytes()
  let last = performance.eventLoopUtilization()
  const setBusy = (next: boolean) => {
    isBusy = next
    setV8Flags(isBusy ? busy : calm)
  }
  const check = () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    if (!isBusy && utilization > busyAbove) setBusy(true)
    if (utilization > idleBelow || (!isBusy && oldBytes() < 1.1 * kept + grownBy)) return
    setBusy(false)
    collect()
    kept = oldBytes()
  }
  setBusy(false)
  setInterval(check, everyMs).unref()
}

/**
 * V8 without the second of its optimising compilers, which takes 5 MB in each process that uses it. Measured: nothing at a service
 * like realtime, but a tenth to a fifth more processor time at the gateway and at messaging (docs/benchmarks.md).
 */
export const withoutTurboFan = ['--no-turbofan']

/** The same, and sooner collections, for a service that does little: it takes more processor time per request. */
export const memoryBeforeSpeed = [...withoutTurboFan, '--memory-saver-mode']

/** Called after the code was loaded, since V8 takes compiled code of the same flags only. */
export const setV8Flags = (flags: readonly string[]): void => flags.forEach(setFlagsFromString)
