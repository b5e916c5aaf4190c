import type { SyncClock } from './ports.ts'

export interface Repeater {
  /** Runs the work now or, during a run, once more after it. */
  now(): void
  /** Calls `nextDelayMs` again, because its result may have changed. */
  replan(): void
  close(): void
}

export interface RepeaterOptions {
  clock: SyncClock
  /** Must not reject. */
  work: () => Promise<void>
  /** Milliseconds from the end of a run to the next one; null when only `now` starts one. */
  nextDelayMs: () => number | null
}

/** Runs one job on demand and at intervals, never twice at the same time. */
export function createRepeater({ clock, work, nextDelayMs }: RepeaterOptions): Repeater {
  let running = false
  let again = false
  let closed = false
  let endedAtMs = clock.nowMs()
  let timer: unknown

  const plan = () => {
    clock.clearTimeout(timer)
    const delayMs = closed || running ? null : nextDelayMs()
    if (delayMs === null) return
    timer = clock.setTimeout(now, Math.max(0, endedAtMs + delayMs - clock.nowMs()))
  }
  const run = async () => {
    running = true
    clock.clearTimeout(timer)
    do {
      again = false
      await work()
    } while (again && !closed)
    running = false
    endedAtMs = clock.nowMs()
    plan()
  }
  const now = () => {
    if (closed) return
    if (running) again = true
    else void run()
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
