import type { SyncClock } from './ports.ts'

export interface Scheduler {
  /** Runs the work now or, when it is running, once more after that run. */
  now(): void
  /** Calls `nextDelayMs` again, because its result may have changed. */
  replan(): void
  close(): void
}

export interface SchedulerOptions {
  clock: SyncClock
  /** The promise must not reject. */
  work: () => Promise<void>
  /** Returns the milliseconds from the end of a run to the next one, or null when only `now` starts one. */
  nextDelayMs: () => number | null
  /** Two runs start at least this far apart, even on demand; 0 when absent. */
  minGapMs?: number
}

/** Runs one job on demand and at intervals, never twice at the same time. */
export function createScheduler({ clock, work, nextDelayMs, minGapMs = 0 }: SchedulerOptions): Scheduler {
  let running = false
  let wanted = false
  let closed = false
  let startedAtMs = -Infinity
  let endedAtMs = clock.nowMs()
  let timer: unknown

  const plan = () => {
    clock.clearTimeout(timer)
    const delayMs = closed || running ? null : wanted ? 0 : nextDelayMs()
    if (delayMs === null) return
    const nowMs = clock.nowMs()
    // A time in the future is the past of a clock that was set back.
    const sinceMs = (atMs: number) => (atMs > nowMs ? Infinity : nowMs - atMs)
    const waitMs = Math.max(delayMs - sinceMs(endedAtMs), minGapMs - sinceMs(startedAtMs))
    if (wanted && waitMs <= 0) void run()
    else timer = clock.setTimeout(now, Math.max(0, waitMs))
  }
  const run = async () => {
    running = true
    wanted = false
    startedAtMs = clock.nowMs()
    await work()
    running = false
    endedAtMs = clock.nowMs()
    plan()
  }
  const now = () => {
    wanted = true
    plan()
  }
  return {
    now,
    replan: plan,
    close() {
      closed = true
      clock.clearTimeout(timer)
    },
  }
}
