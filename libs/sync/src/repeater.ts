import type { SyncClock } from './ports.ts'

export interface Repeater {
  /** Runs the work now, or once more after the present run. */
  now(): void
  /** Asks `nextDelayMs` again, because what it depends on has changed. */
  replan(): void
  close(): void
}

export interface RepeaterOptions {
  clock: SyncClock
  /** Must not reject. */
  work: () => Promise<void>
  /** Milliseconds from the end of a run until the next one by itself; null for none. */
  nextDelayMs: () => number | null
}

/** Runs one piece of work on demand and from time to time, never twice at once. */
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
