/** Rules about time read this clock instead of `Date.now()`, so that tests can set the time. */
export interface Clock {
  /** Returns milliseconds since the epoch. */
  nowMs(): number
  now(): Date
}

/**
 * Returns the machine's clock, shifted by `offsetMs`. Only tests shift it: the configuration refuses an offset in
 * production.
 */
export const systemClock = (offsetMs = 0): Clock => ({
  nowMs: () => Date.now() + offsetMs,
  now: () => new Date(Date.now() + offsetMs),
})

/** Returns the UTC day of an instant in the form `2026-11-20`. */
export const utcDay = (date: Date): string => date.toISOString().slice(0, 10)

/** Returns the next midnight in UTC. */
export const nextUtcDay = (date: Date): Date =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1))
