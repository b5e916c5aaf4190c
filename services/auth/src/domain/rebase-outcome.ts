import { pinLimits } from './pin-limits.ts'
import type { SessionTries, UnlockBudget } from './unlock-budget.ts'

const same = (first: Date | null, second: Date | null) => first?.getTime() === second?.getTime()
const moved = (newest: number, from: number, to: number) => Math.max(0, newest + to - from)
const replaced = (newest: Date | null, from: Date | null, to: Date | null) =>
  same(newest, from) ? to : newest

/**
 * Applies the outcome of a try to a row that other tries have changed since this one was counted as wrong: the
 * difference between `from` and `to` is applied to `newest`.
 */
export function rebaseOutcome(
  newest: UnlockBudget,
  sessionId: string,
  from: UnlockBudget,
  to: UnlockBudget,
): UnlockBudget {
  const own = to.sessions[sessionId]
  const counted = from.sessions[sessionId]
  if (!own || !counted) return newest
  const session = newest.sessions[sessionId]
  return {
    ...newest,
    explicit: moved(newest.explicit, from.explicit, to.explicit),
    pausedUntil: replaced(newest.pausedUntil, from.pausedUntil, to.pausedUntil),
    // The count of soft failures starts at zero each day.
    soft: newest.day === from.day ? moved(newest.soft, from.soft, to.soft) : newest.soft,
    softSpentAt: replaced(newest.softSpentAt, from.softSpentAt, to.softSpentAt),
    wrongEntries: moved(newest.wrongEntries, from.wrongEntries, to.wrongEntries),
    sessions: {
      ...newest.sessions,
      [sessionId]: session ? rebaseTries(session, counted, own, newest.day === from.day) : own,
    },
  }
}

function rebaseTries(
  newest: SessionTries,
  from: SessionTries,
  to: SessionTries,
  isSameDay: boolean,
): SessionTries {
  const later = newest.recentWrong.filter((at) => !from.recentWrong.some((known) => same(at, known)))
  return {
    ...newest,
    explicit: moved(newest.explicit, from.explicit, to.explicit),
    pausedUntil: replaced(newest.pausedUntil, from.pausedUntil, to.pausedUntil),
    recentWrong: [...to.recentWrong, ...later].slice(-pinLimits.clearsAtMost),
    soft: moved(newest.soft, from.soft, to.soft),
    softOfDay: isSameDay
      ? moved(newest.softOfDay ?? 0, from.softOfDay ?? 0, to.softOfDay ?? 0)
      : (newest.softOfDay ?? 0),
    lastSoft: newest.lastSoft === from.lastSoft ? to.lastSoft : newest.lastSoft,
    unlockedAt: replaced(newest.unlockedAt, from.unlockedAt, to.unlockedAt),
    explicitlyUnlockedAt: replaced(
      newest.explicitlyUnlockedAt,
      from.explicitlyUnlockedAt,
      to.explicitlyUnlockedAt,
    ),
  }
}
