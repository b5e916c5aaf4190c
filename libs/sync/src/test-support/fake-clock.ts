import type { SyncClock } from '../ports.ts'

interface Timer {
  atMs: number
  run: () => void
}

/** The time of this clock passes only in `advance`, which settles all promises between two timers. */
export class FakeClock implements SyncClock {
  #nowMs = 0
  #timers = new Set<Timer>()
  /** `random` returns these values in turn, and 0.5 when none is left. */
  chances: number[] = []

  /** A person has set the clock of the device on by this much; timers do not notice it. */
  setOnMs = 0

  nowMs = () => this.#nowMs + this.setOnMs
  random = () => this.chances.shift() ?? 0.5
  setTimeout = (run: () => void, ms: number): unknown => {
    const timer = { atMs: this.#nowMs + ms, run }
    this.#timers.add(timer)
    return timer
  }
  clearTimeout = (timer: unknown) => void this.#timers.delete(timer as Timer)

  /** Resolves after `ms` of this clock. */
  wait = (ms: number): Promise<void> => new Promise((resolve) => void this.setTimeout(resolve, ms))

  get pending(): number {
    return this.#timers.size
  }

  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms
    await settle()
    for (;;) {
      const next = [...this.#timers].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0]
      if (!next) break
      this.#timers.delete(next)
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      next.run()
      await settle()
    }
    this.#nowMs = untilMs
  }
}

/** Runs all pending callbacks except timers. jsdom has no setImmediate. */
const settle = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve)
  })
