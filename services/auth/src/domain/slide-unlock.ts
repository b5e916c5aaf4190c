import { limits } from '@sumlock/contracts/limits'

const minuteMs = 60_000

/** Returns the end of the present unlock after activity at `now`: ten idle minutes, eight hours in all. */
export function slideUnlock(now: Date, unlockStartedAt: Date): Date {
  const idleEnd = now.getTime() + limits.unlockIdleMinutes * minuteMs
  const hardEnd = unlockStartedAt.getTime() + limits.unlockMaxHours * 60 * minuteMs
  return new Date(Math.min(idleEnd, hardEnd))
}
