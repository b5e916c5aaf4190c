/** The pace of PIN comparisons: one at a time per account, and one second after each wrong entry. */
export const pace = {
  afterWrongMs: 1000,
  /** A second, doubled for a busy machine, because a right entry that gives up is answered like a wrong one. */
  waitAtMostMs: 2000,
  /** The pause between two checks of a try that lets another one go first. */
  pollMs: 25,
} as const

export interface WaitingTry {
  id: string
  sessionId: string
  /** Password mode has the explicit budget; probes and digits followed by `=` have the soft one. */
  way: 'password-mode' | 'digits' | 'probe'
  /** Whether the right PIN was ever given in the session. */
  isTrusted: boolean
  /** HMAC of the digits: distinguishes a repeated entry from a corrected one. */
  entryMac: string
  arrivedAt: Date
}

export interface UnlockTurn {
  /** The time at which the next comparison may start. */
  freeAt: Date
  lastSessionId: string | null
  /** The try that has the next turn. */
  reservedFor: WaitingTry | null
}

export type TurnDecision =
  { verdict: 'start' } | { verdict: 'give-up' } | { verdict: 'wait'; lookAgainAt: Date; reserves: boolean }

const later = (date: Date, ms: number) => new Date(date.getTime() + ms)
const isOver = (waiting: WaitingTry, now: Date) => now > later(waiting.arrivedAt, pace.waitAtMostMs)

/** A trusted session goes first, then one that did not have the last turn: a flood elsewhere must not starve the owner. */
const rank = (waiting: WaitingTry, turn: UnlockTurn) =>
  (waiting.isTrusted ? 2 : 0) + (waiting.sessionId === turn.lastSessionId ? 0 : 1)

const isProbe = ({ way }: WaitingTry) => way === 'probe'

function outranks(mine: WaitingTry, other: WaitingTry, turn: UnlockTurn): boolean {
  // An entry goes before a probe: a person waits for its answer, and it must not be answered "wrong" because of a probe.
  if (isProbe(mine) !== isProbe(other)) return isProbe(other)
  if (mine.sessionId === other.sessionId) return mine.arrivedAt >= other.arrivedAt
  return rank(mine, turn) > rank(other, turn)
}

/** The newest entry of a session replaces its earlier entries and the probes of earlier digits. */
const supersedes = (other: WaitingTry, mine: WaitingTry) =>
  other.sessionId === mine.sessionId &&
  other.arrivedAt > mine.arrivedAt &&
  other.entryMac !== mine.entryMac &&
  (isProbe(mine) || !isProbe(other))

/** Whether a try may be compared now, has to wait, or has waited too long. */
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
