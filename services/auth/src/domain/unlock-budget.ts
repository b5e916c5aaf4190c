import { limits } from '@sumlock/contracts/limits'

const minuteMs = 60_000

/** When the present unlock ends after activity at `now`: ten idle minutes, eight hours in all. */
export function slideUnlock(now: Date, unlockStartedAt: Date): Date {
  const idleEnd = now.getTime() + limits.unlockIdleMinutes * minuteMs
  const hardEnd = unlockStartedAt.getTime() + limits.unlockMaxHours * 60 * minuteMs
  // guard: hard-end
  return new Date(Math.min(idleEnd, hardEnd))
}

/**
 * Until when explicit unlocking pauses after `failures` wrong entries in a row: ten are free, then 30 s, doubling
 * with each further one up to an hour. Null while there is no pause.
 */
export function pauseAfter(failures: number, now: Date): Date | null {
  const beyond = failures - limits.explicitFreeFailures
  if (beyond < 0) return null
  const seconds = Math.min(limits.explicitFirstPauseSeconds * 2 ** beyond, limits.explicitMaxPauseSeconds)
  return new Date(now.getTime() + seconds * 1000)
}

/**
 * Prefixes of an entry that are themselves long enough to have been checked. Typing 1-2-3-4-5-6 fails at 1234 and
 * 12345 before it is complete: such a chain costs one failure, recognised by the previous failure being among these.
 */
export function checkedPrefixes(entry: string): string[] {
  const prefixes: string[] = []
  for (let length = limits.pinMinLength; length < entry.length; length += 1)
    prefixes.push(entry.slice(0, length))
  return prefixes
}
