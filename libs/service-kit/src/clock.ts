/** The source of time. Rules about time read it instead of `Date.now()`, so that tests can set it. */
export interface Clock {
  /** Now, in milliseconds since the epoch. */
  nowMs(): number
  now(): Date
}

/** The machine's clock, shifted by `offsetMs` (tests only; configuration refuses an offset in production). */
export const systemClock = (offsetMs = 0): Clock => ({
  nowMs: () => Date.now() + offsetMs,
  now: () => new Date(Date.now() + offsetMs),
})

/** The UTC day of an instant, as `2026-11-20`. */
export const utcDay = (date: Date): string => date.toISOString().slice(0, 10)

/** Midnight UTC after an instant. */
export const nextUtcDay = (date: Date): Date =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1))
