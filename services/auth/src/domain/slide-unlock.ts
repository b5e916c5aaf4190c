import { limits } from '@sumlock/contracts/limits'

const minuteMs = 60_000

/**
 * Returns when an unlock ends after activity at `now`: ten minutes later, but at most eight hours after the unlock began.
 */
export function slideUnlock(now: Date, unlockStartedAt: Date): Date {
  const idleEnd = now.getTime() + limits.unlockIdleMinutes * minuteMs
  const hardEnd = unlockStartedAt.getTime() + limits.unlockMaxHours * 60 * minuteMs
  return new Date(Math.min(idleEnd, hardEnd))
}
