import { performance } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { shareInterval } from './shared-interval.ts'

/** Collects the whole heap and returns free pages to the system, in 0.03 to 0.15 s. Needs `--expose-gc` (service-runtime.env). */
const collect = () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })

/** Frees the 10 to 16 MB of garbage that loading the modules leaves. Called before the ports open. */
export const dropLoadingGarbage = (): unknown => collect()

const checkEveryMs = 2000
/** Event loop utilization, 0 to 1. */
const busyAbove = 0.6
const idleBelow = 0.02
/** Growth since the last collection that is left alone: a tenth of the heap, and these bytes. */
const toleratedBytes = 2 * 2 ** 20

/** Size of the heap without its young generation. */
const oldBytes = () =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => !space_name.startsWith('new_'))
    .reduce((sum, { physical_space_size }) => sum + physical_space_size, 0)

/** The young generation keeps its initial size (service-node-flags.ts); the old one is collected when it has grown by 25 %. */
const calm = ['--semi-space-growth-factor=1', '--heap-growing-percent=25']
/** The young generation may grow to its maximum (service-runtime.env); the old one is collected when it has doubled. */
const busy = ['--semi-space-growth-factor=2', '--heap-growing-percent=100']

/**
 * Checks the event loop every `everyMs` and adapts the heap (ADR 32). A small young generation saves memory, but with hundreds of
 * requests in flight most objects survive it, and copying them costs a busy gateway a fifth of its processor time: so it may grow
 * while the process is busy. V8 collects only when objects are allocated: so a heap that has grown is collected here when the
 * process is idle.
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
    if (utilization > idleBelow || (!isBusy && oldBytes() < 1.1 * kept + toleratedBytes)) return
    setBusy(false)
    collect()
    kept = oldBytes()
  }
  setBusy(false)
  shareInterval(everyMs, check)
}

/**
 * Turns off V8's second optimising compiler, whose code takes 5 MB per process. realtime was as fast without it; the gateway and
 * messaging needed a tenth to a fifth more processor time (docs/benchmarks.md).
 */
export const withoutTurboFan = ['--no-turbofan']

/** Also collects sooner, for services with little to do: each request costs more processor time. */
export const memoryBeforeSpeed = [...withoutTurboFan, '--memory-saver-mode']

/** Call this after the code is loaded: V8 rejects a code cache that was made under other flags. */
export const setV8Flags = (flags: readonly string[]): void => flags.forEach(setFlagsFromString)
