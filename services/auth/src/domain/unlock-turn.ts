/** PIN comparisons of an account run one at a time, and a second passes after each wrong entry. */
export const pace = {
  afterWrongMs: 1000,
  /**
   * A try gives up after this time. It is twice `afterWrongMs`, because machines may be busy and a right entry that gives up
   * is answered like a wrong one.
   */
  waitAtMostMs: 2000,
  /** A waiting try checks again after this time whether its turn has come. */
  pollMs: 25,
} as const

export interface WaitingTry {
  id: string
  sessionId: string
  /** Tries in password mode use the explicit budget; probes and digits followed by `=` use the soft one. */
  way: 'password-mode' | 'digits' | 'probe'
  /** True if the right PIN was ever given in the session. */
  isTrusted: boolean
  /** The HMAC of the digits distinguishes a repeated entry from a corrected one. */
  entryMac: string
  arrivedAt: Date
}

export interface UnlockTurn {
  /** The next comparison may start at this time. */
  freeAt: Date
  lastSessionId: string | null
  /** The next turn is reserved for this waiting try. */
  reservedFor: WaitingTry | null
}

export type TurnDecision =
  { verdict: 'start' } | { verdict: 'give-up' } | { verdict: 'wait'; lookAgainAt: Date; reserves: boolean }

const later = (date: Date, ms: number) => new Date(date.getTime() + ms)
const isOver = (waiting: WaitingTry, now: Date) => now > later(waiting.arrivedAt, pace.waitAtMostMs)

/**
 * A trusted session goes first, then a session that did not have the last turn, so that a flood of tries elsewhere cannot
 * starve the owner.
 */
const rank = (waiting: WaitingTry, turn: UnlockTurn) =>
  (waiting.isTrusted ? 2 : 0) + (waiting.sessionId === turn.lastSessionId ? 0 : 1)

const isProbe = ({ way }: WaitingTry) => way === 'probe'

function outranks(mine: WaitingTry, other: WaitingTry, turn: UnlockTurn): boolean {
  // An entry goes before a probe, because a person waits for its answer and a right entry must not be answered "wrong"
  // because of a probe.
  if (isProbe(mine) !== isProbe(other)) return isProbe(other)
  if (mine.sessionId === other.sessionId) return mine.arrivedAt >= other.arrivedAt
  return rank(mine, turn) > rank(other, turn)
}

/** Within a session, a newer entry replaces earlier entries and probes, and a newer probe replaces earlier probes. */
const supersedes = (other: WaitingTry, mine: WaitingTry) =>
  other.sessionId === mine.sessionId &&
  other.arrivedAt > mine.arrivedAt &&
  other.entryMac !== mine.entryMac &&
  (isProbe(mine) || !isProbe(other))

/** Decides whether a try may be compared now, has to wait, or gives up. */
export function decideTurn(turn: UnlockTurn, mine: WaitingTry, now: Date): TurnDecision {
  if (isOver(mine, now)) return { verdict: 'give-up' }
  const reserved = turn.reservedFor
  const rival = reserved && reserved.id !== mine.id && !isOver(reserved, now) ? reserved : null
  if (rival && supersedes(rival, mine)) return { verdict: 'give-up' }
  const yields = rival !== null && !outranks(mine, rival, turn)
  if (now >= turn.freeAt && !yields) return { verdict: 'start' }
  return {
    verdict: 'wait',
    lookAgainAt: now >= turn.freeAt ? later(now, pace.pollMs) : turn.freeAt,
    reserves: !yields && reserved?.id !== mine.id,
  }
}
