import type { Clock } from '@sumlock/service-kit/clock'
import type { MemberChannels } from './member-channels.ts'

/** The state of the two sources of locks and revocations: hints of Redis, and auth's list of changed sessions. */
export interface LockSources {
  /** Redis is away and an answer of auth is late, so each session has to be checked. */
  isInDoubt(): boolean
  /** Both sources have been silent for too long: a session counts only if auth has confirmed it since. */
  isSilent(): boolean
}

/** Auth is polled every two seconds: at this age one answer is late. */
const doubtAfterMs = 3000
/** At this age two answers are late; the gateway has the same limit. */
const followedWithinMs = 4000
/** A connection to Redis that comes back within this time closes nothing. A hang of Redis is noticed after up to three seconds. */
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
    isSilent: () => clock.nowMs() - redisLostAtMs >= redisGraceMs && listAgeMs() >= followedWithinMs,
  }
}
