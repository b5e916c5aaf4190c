import type { Clock } from '@sumlock/service-kit/clock'
import type { MemberChannels } from './member-channels.ts'

/** What this process hears of locks and revocations: the hints of Redis, and auth's list of changed sessions. */
export interface LockSources {
  /** Redis is away and an answer of auth is late: ask about each session. */
  isInDoubt(): boolean
  /** Neither source was heard for so long that a session counts only if auth has confirmed it since. */
  isUninformed(): boolean
}

/** Auth is asked every two seconds: one answer is late. */
const doubtAfterMs = 3000
/** Two answers are late, as at the gateway. */
const followedWithinMs = 4000
/** A connection to Redis that comes back at once closes nothing. A hang of Redis was noticed after up to three seconds. */
const redisGraceMs = 1000

export interface LockSourcesOptions {
  clock: Pick<Clock, 'nowMs'>
  members: Pick<MemberChannels, 'isComplete' | 'onChange'>
  /** Age of auth's last list of changes. */
  listAgeMs: () => number
}

export function createLockSources({ clock, members, listAgeMs }: LockSourcesOptions): LockSources {
  const lostSince = () => (members.isComplete ? Infinity : clock.nowMs())
  let redisLostAtMs = lostSince()
  members.onChange(() => {
    redisLostAtMs = lostSince()
  })
  return {
    isInDoubt: () => !members.isComplete && listAgeMs() >= doubtAfterMs,
    isUninformed: () => clock.nowMs() - redisLostAtMs >= redisGraceMs && listAgeMs() >= followedWithinMs,
  }
}
