import type { Clock } from '@sumlock/service-kit/clock'
import type { MemberChannels } from './member-channels.ts'

/** Reports on the two sources of locks and revocations: hints from Redis, and auth's list of changed sessions. */
export interface LockSources {
  /** True while Redis is disconnected and auth's list is late: every session has to be checked at auth. */
  isInDoubt(): boolean
  /**
   * True while both sources have been silent for too long: a session counts as unlocked only if auth has confirmed it
   * recently.
   */
  isSilent(): boolean
}

/** Auth's list is polled every two seconds, so one answer is late at this age. */
const doubtAfterMs = 3000
/** Two answers are late at this age; the gateway uses the same limit. */
const followedWithinMs = 4000
/**
 * No session is closed if Redis is connected again within this time. A hanging Redis is noticed after up to three seconds.
 */
const redisGraceMs = 1000

export interface LockSourcesOptions {
  clock: Pick<Clock, 'nowMs'>
  members: Pick<MemberChannels, 'isComplete' | 'onChange'>
  /** Returns the age of auth's last list of changed sessions, in milliseconds. */
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
    isSilent: () => clock.nowMs() - redisLostAtMs >= redisGraceMs && listAgeMs() >= followedWithinMs,
  }
}
