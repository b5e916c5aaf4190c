import { limits } from '@sumlock/contracts/limits'

const minuteMs = 60_000

/** When the present unlock ends after activity at `now`: ten idle minutes, eight hours in all. */
export function slideUnlock(now: Date, unlockStartedAt: Date): Date {
  const idleEnd = now.getTime() + limits.unlockIdleMinutes * minuteMs
  const hardEnd = unlockStartedAt.getTime() + limits.unlockMaxHours * 60 * minuteMs
  return new Date(Math.min(idleEnd, hardEnd))
}
