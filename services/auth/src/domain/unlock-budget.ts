import { limits } from '@sumlock/contracts/limits'
import { pinLimits } from './pin-limits.ts'
import { decideTurn, pace } from './unlock-turn.ts'
import type { UnlockTurn, WaitingTry } from './unlock-turn.ts'

/** Counts the PIN tries of one session. */
export interface SessionTries {
  explicit: number
  pausedUntil: Date | null
  /** The last wrong entries in password mode happened at these times; no more are kept than a right entry may clear. */
  recentWrong: Date[]
  soft: number
  /** Counts failed probes and digits of the day since the session last unlocked in password mode. */
  softOfDay: number
  /** The last failed probe or digits are kept as an HMAC, never in the clear. */
  lastSoft: string | null
  unlockedAt: Date | null
  triedAt: Date
}

/** Counts the PIN tries of one account. */
export interface UnlockBudget {
  /**
   * The counts belong to this day, in days since 1970. On a new day, `explicit` halves, and `soft` and each `softOfDay`
   * become 0.
   */
  day: number
  explicit: number
  pausedUntil: Date | null
  soft: number
  /** Counts wrong entries in password mode since the account was last unlocked. */
  wrongEntries: number
  turn: UnlockTurn
  sessions: Record<string, SessionTries>
}

export interface PinTry extends Omit<WaitingTry, 'isTrusted'> {
  /** The shorter entries that may have been checked while this one was typed are given as HMACs. */
  prefixMacs: readonly string[]
  /** True if the right PIN was given in this session, even before the account's tries were stored. */
  hadPin?: boolean
}

export type TryDecision =
  | { verdict: 'refuse'; revokes: boolean }
  | { verdict: 'wait'; lookAgainAt: Date; reservation: WaitingTry | null }
  | {
      verdict: 'compare'
      /** Either `ifWrong` or `ifRight` is stored before the answer, so that no guess is free. */
      ifWrong: UnlockBudget
      ifRight: UnlockBudget
      revokesIfWrong: boolean
      wrongEntries: number
    }

const dayMs = 86_400_000
const dayOf = (now: Date) => Math.floor(now.getTime() / dayMs)
const ageMs = (date: Date, now: Date) => now.getTime() - date.getTime()
const isAhead = (date: Date | null, now: Date) => date !== null && date > now
const latest = (first: Date | null, second: Date | null) =>
  first && (!second || first > second) ? first : second

export const emptyBudget = (now: Date): UnlockBudget => ({
  day: dayOf(now),
  explicit: 0,
  pausedUntil: null,
  soft: 0,
  wrongEntries: 0,
  turn: { freeAt: new Date(0), lastSessionId: null, reservedFor: null },
  sessions: {},
})

const untried = (now: Date): SessionTries => ({
  explicit: 0,
  pausedUntil: null,
  recentWrong: [],
  soft: 0,
  softOfDay: 0,
  lastSoft: null,
  unlockedAt: null,
  triedAt: now,
})

/**
 * Returns the end of the pause after `failures` wrong entries in password mode; null for fewer than ten. The tenth causes a
 * pause of 30 s, and each further one doubles the pause, up to an hour.
 */
export function pauseAfter(failures: number, now: Date): Date | null {
  const excess = failures - pinLimits.explicitFree
  if (excess < 0) return null
  const seconds = Math.min(pinLimits.firstPauseSeconds * 2 ** excess, pinLimits.maxPauseSeconds)
  return new Date(now.getTime() + seconds * 1000)
}

/**
 * Returns the end of this session's pause in password mode, or null for no pause. A session in which the right PIN was given
 * is paused only by its own tries.
 */
export function explicitPause(
  budget: UnlockBudget,
  sessionId: string,
  now: Date,
  hadPin = false,
): Date | null {
  const session = budget.sessions[sessionId] ?? untried(now)
  const own = isAhead(session.pausedUntil, now) ? session.pausedUntil : null
  // A stranger's tries must not keep the owner from cancelling a reset.
  if (hadPin || session.unlockedAt) return own
  return isAhead(budget.pausedUntil, now) ? latest(own, budget.pausedUntil) : own
}

/**
 * Decides about a try, and returns the budget to store for each outcome. The function is pure, so that tests can simulate a
 * month.
 */
export function decideTry(stored: UnlockBudget, pinTry: PinTry, now: Date): TryDecision {
  const { sessionId, way } = pinTry
  const before = startDay(stored, now)
  const session = { ...(before.sessions[sessionId] ?? untried(now)), triedAt: now }
  // A process counted the twentieth wrong entry, but ended before it revoked the session.
  if (session.explicit >= pinLimits.revokeAfter) return { verdict: 'refuse', revokes: true }
  const isTrusted = pinTry.hadPin === true || session.unlockedAt !== null
  const isPaused = explicitPause(before, sessionId, now, isTrusted) !== null
  const isSpent = way === 'password-mode' ? isPaused : isSoftSpent(before, session, isTrusted)
  if (isSpent) return { verdict: 'refuse', revokes: false }

  const { id, entryMac, arrivedAt } = pinTry
  const waiting = { id, sessionId, way, entryMac, arrivedAt, isTrusted }
  const turn = decideTurn(before.turn, waiting, now)
  if (turn.verdict === 'give-up') return { verdict: 'refuse', revokes: false }
  if (turn.verdict === 'wait')
    return {
      verdict: 'wait',
      lookAgainAt: turn.lookAgainAt,
      reservation: turn.reserves ? waiting : null,
    }

  const next = (budget: UnlockBudget, tries: SessionTries, freeAt: Date): UnlockBudget => ({
    ...budget,
    turn: { freeAt, lastSessionId: sessionId, reservedFor: null },
    sessions: { ...budget.sessions, [sessionId]: tries },
  })
  const wrong =
    way === 'password-mode' ? wrongExplicitly(before, session, now) : wrongSoftly(before, session, pinTry)
  const right = unlocked(before, session, way, now)
  return {
    verdict: 'compare',
    ifWrong: next(wrong.budget, wrong.session, new Date(now.getTime() + pace.afterWrongMs)),
    ifRight: next(right.budget, right.session, now),
    revokesIfWrong: wrong.session.explicit >= pinLimits.revokeAfter,
    wrongEntries: before.wrongEntries,
  }
}

interface Counted {
  budget: UnlockBudget
  session: SessionTries
}

function wrongExplicitly(budget: UnlockBudget, session: SessionTries, now: Date): Counted {
  const explicit = session.explicit + 1
  const ofAccount = budget.explicit + 1
  return {
    session: {
      ...session,
      explicit,
      pausedUntil: pauseAfter(explicit, now),
      recentWrong: [...session.recentWrong, now].slice(-pinLimits.clearsAtMost),
    },
    budget: {
      ...budget,
      explicit: ofAccount,
      // A trusted session may try during a pause of the account, and its wrong entry must not shorten that pause.
      pausedUntil: latest(pauseAfter(ofAccount, now), budget.pausedUntil),
      wrongEntries: budget.wrongEntries + 1,
    },
  }
}

function wrongSoftly(budget: UnlockBudget, session: SessionTries, pinTry: PinTry): Counted {
  const extendsLast = session.lastSoft !== null && pinTry.prefixMacs.includes(session.lastSoft)
  const failures = extendsLast ? 0 : 1
  return {
    session: {
      ...session,
      soft: session.soft + failures,
      softOfDay: session.softOfDay + failures,
      lastSoft: pinTry.entryMac,
    },
    budget: { ...budget, soft: budget.soft + failures },
  }
}

function unlocked(budget: UnlockBudget, session: SessionTries, way: PinTry['way'], now: Date): Counted {
  if (way === 'probe') return { budget, session }
  const seen = { ...budget, wrongEntries: 0 }
  if (way === 'digits') return { budget: seen, session: { ...session, unlockedAt: now } }
  const cleared = session.recentWrong.filter((at) => ageMs(at, now) <= pinLimits.clearsWithinMs).length
  return {
    session: {
      ...session,
      explicit: session.explicit - cleared,
      recentWrong: [],
      softOfDay: 0,
      unlockedAt: now,
    },
    budget: { ...seen, explicit: Math.max(0, budget.explicit - cleared) },
  }
}

/**
 * Returns whether no probes and digits are left. A session in which the right PIN was given has its own daily budget, which
 * an unlock in password mode renews; all others share the budget of the account. The budget for the life of a session is
 * never renewed.
 */
function isSoftSpent(budget: UnlockBudget, session: SessionTries, isTrusted: boolean): boolean {
  if (session.soft >= pinLimits.softPerSession) return true
  return (isTrusted ? session.softOfDay : budget.soft) >= pinLimits.softPerDay
}

function startDay(budget: UnlockBudget, now: Date): UnlockBudget {
  const days = dayOf(now) - budget.day
  if (days <= 0) return budget
  const explicit = Math.floor(budget.explicit / 2 ** days)
  return {
    ...budget,
    day: dayOf(now),
    explicit,
    soft: 0,
    sessions: prune(budget.sessions, now),
  }
}

/**
 * Starts a new day for each session. Drops sessions that were not used for the lifetime of a session and, except for the
 * newest hundred, sessions without failures.
 */
function prune(sessions: UnlockBudget['sessions'], now: Date): UnlockBudget['sessions'] {
  const alive = Object.entries(sessions)
    .map(([id, tries]): [string, SessionTries] => [id, { ...tries, softOfDay: 0 }])
    .filter(([, { triedAt }]) => ageMs(triedAt, now) < limits.sessionLifetimeDays * dayMs)
    .sort(([, first], [, second]) => second.triedAt.getTime() - first.triedAt.getTime())
    .filter(([, { explicit, soft }], index) => explicit + soft > 0 || index < pinLimits.sessionsKept)
  return Object.fromEntries(alive)
}
