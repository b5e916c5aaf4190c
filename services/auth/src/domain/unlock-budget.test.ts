import { limits } from '@sumlock/contracts/limits'
import { checkedPrefixes } from './checked-prefixes.ts'
import { decideTry, emptyBudget, explicitPause, pauseAfter } from './unlock-budget.ts'
import type { PinTry, UnlockBudget } from './unlock-budget.ts'

const start = new Date('2026-01-01T12:00:00Z').getTime()
const second = 1000
const minute = 60 * second
const day = 24 * 60 * minute

/** One account, its budget and its clock. */
function account() {
  let nowMs = start
  let budget: UnlockBudget = emptyBudget(new Date(nowMs))
  const attempt = (
    sessionId: string,
    way: PinTry['way'],
    isRight: boolean,
    entry = `${nowMs}`,
    hadPin = false,
  ) => {
    nowMs += 2 * second
    const now = new Date(nowMs)
    const prefixMacs = checkedPrefixes(entry)
    const pinTry = { id: entry, sessionId, way, entryMac: entry, prefixMacs, hadPin, arrivedAt: now }
    const decision = decideTry(budget, pinTry, now)
    if (decision.verdict !== 'compare') return decision
    budget = isRight ? decision.ifRight : decision.ifWrong
    return decision
  }
  return {
    attempt,
    wrong: (sessionId = 'own', times = 1) => {
      for (let index = 0; index < times; index += 1) attempt(sessionId, 'password-mode', false)
    },
    right: (sessionId = 'own') => attempt(sessionId, 'password-mode', true),
    softly: (sessionId: string, entry?: string) => attempt(sessionId, 'probe', false, entry),
    pass: (ms: number) => void (nowMs += ms),
    pauseSeconds: (sessionId = 'own') => {
      const until = explicitPause(budget, sessionId, new Date(nowMs))
      return until && (until.getTime() - nowMs) / second
    },
    explicit: (sessionId = 'own') => budget.sessions[sessionId]?.explicit,
    stored: () => budget,
  }
}

describe('the pause after wrong entries in password mode', () => {
  it.each([
    [0, null],
    [9, null],
    [10, 30],
    [11, 60],
    [12, 120],
    [16, 1920],
    [17, 3600],
    [99, 3600],
  ])('after %i failures lasts %s seconds', (failures, seconds) => {
    const until = pauseAfter(failures, new Date(start))
    expect(until && (until.getTime() - start) / second).toBe(seconds)
  })

  it('refuses the right entry until it has passed, and accepts it afterwards', () => {
    const { wrong, right, pass, pauseSeconds } = account()
    wrong('own', 10)
    expect(pauseSeconds()).toBe(30)
    expect(right()).toEqual({ verdict: 'refuse', revokes: false })
    pass(30 * second)
    expect(right().verdict).toBe('compare')
  })

  it('ends at the end of its last second', () => {
    const { wrong, right, pass } = account()
    wrong('own', 10)
    // The entry itself comes two seconds later.
    pass(28 * second)
    expect(right().verdict).toBe('compare')
  })

  it('is the longer one of the session and the account', () => {
    const now = new Date(start)
    const { attempt, wrong, stored, pauseSeconds } = account()
    wrong('own', 10)
    Object.assign(stored(), { pausedUntil: new Date(now.getTime() + 10 * minute) })
    expect(pauseSeconds()).toBe(580)
    Object.assign(stored().sessions, { trusted: { ...stored().sessions['own'], unlockedAt: now } })
    Object.assign(stored().sessions['trusted'] ?? {}, { explicit: 0, pausedUntil: null })
    expect(attempt('trusted', 'password-mode', false)).toMatchObject({
      ifWrong: { explicit: 11, pausedUntil: new Date(now.getTime() + 10 * minute) },
    })
  })

  it('applies to a new session after wrong entries of other sessions, but to none in which the number was ever right', () => {
    const { wrong, right, pass, pauseSeconds } = account()
    right('own')
    pass((limits.sessionLifetimeDays - 1) * day)
    wrong('thief', 10)
    expect(pauseSeconds('third')).toBe(30)
    expect(pauseSeconds('own')).toBeNull()
    expect(right('own').verdict).toBe('compare')
  })

  it('of the account does not hold back a session of which only its own row says that it had the number', () => {
    const { wrong, attempt, stored } = account()
    wrong('thief', 10)
    const now = new Date(start + 30 * second)
    expect(explicitPause(stored(), 'own', now)).not.toBeNull()
    expect(explicitPause(stored(), 'own', now, true)).toBeNull()
    expect(attempt('own', 'password-mode', true, '1', true)).toMatchObject({ verdict: 'compare' })
  })

  it('halves the count of the account after a day, but not the count of the session', () => {
    const { wrong, pass, stored } = account()
    wrong('thief', 10)
    pass(day)
    wrong('thief', 1)
    expect(stored()).toMatchObject({ explicit: 6, sessions: { thief: { explicit: 11 } } })
  })
})

describe('a right entry in password mode', () => {
  it('clears the wrong entries of its session in the two minutes before it, at most three', () => {
    const { wrong, right, explicit, stored } = account()
    wrong('own', 5)
    right()
    expect(explicit()).toBe(2)
    expect(stored().explicit).toBe(2)
  })

  it('clears a wrong entry of exactly two minutes before', () => {
    const { wrong, right, pass, explicit } = account()
    wrong()
    // The right entry itself comes two seconds later.
    pass(2 * minute - 2 * second)
    right()
    expect(explicit()).toBe(0)
  })

  it('clears no older entries and none of another session', () => {
    const { wrong, right, pass, explicit } = account()
    wrong('own', 2)
    wrong('thief', 2)
    pass(2 * minute)
    right()
    expect(explicit('own')).toBe(2)
    expect(explicit('thief')).toBe(2)
  })

  it('clears no wrong entry twice', () => {
    const { wrong, right, explicit } = account()
    wrong('own', 5)
    right()
    right()
    expect(explicit()).toBe(2)
  })

  it('reports the wrong entries of all sessions since the last unlock, once', () => {
    const { wrong, right } = account()
    wrong('own', 1)
    wrong('thief', 3)
    expect(right()).toMatchObject({ wrongEntries: 4 })
    expect(right()).toMatchObject({ wrongEntries: 0 })
  })
})

describe('a right entry', () => {
  it('of digits unlocks the session, but clears no wrong entries of password mode', () => {
    const { attempt, wrong, stored } = account()
    wrong('own', 2)
    attempt('own', 'digits', true)
    const unlockedAt = new Date(start + 6 * second)
    const own = { explicit: 2, unlockedAt }
    expect(stored()).toMatchObject({ explicit: 2, wrongEntries: 0, sessions: { own } })
  })

  it('of a probe unlocks nothing and reports no wrong entries', () => {
    const { attempt, wrong, stored } = account()
    wrong('own', 2)
    attempt('own', 'probe', true)
    const own = { explicit: 2, unlockedAt: null }
    expect(stored()).toMatchObject({ explicit: 2, wrongEntries: 2, sessions: { own } })
  })
})

describe('the turn of an account', () => {
  it('is free one second after a wrong entry, and at once after a right one', () => {
    const now = start + 2 * second
    const decision = account().attempt('own', 'password-mode', false)
    expect(decision).toMatchObject({
      ifWrong: { turn: { freeAt: new Date(now + second) } },
      ifRight: { turn: { freeAt: new Date(now) } },
    })
  })

  it('is refused to an entry that waited too long, without revoking its session', () => {
    const entry = { id: 'e', sessionId: 'own', way: 'password-mode' as const, entryMac: 'e', prefixMacs: [] }
    const now = new Date(start)
    const decision = decideTry(
      emptyBudget(now),
      { ...entry, arrivedAt: new Date(start - 2 * second - 1) },
      now,
    )
    expect(decision).toEqual({ verdict: 'refuse', revokes: false })
  })
})

describe('the twentieth wrong entry of a session in password mode', () => {
  it('revokes the session, and the nineteenth does not', () => {
    const { attempt, wrong, pass } = account()
    wrong('thief', 10)
    const verdicts = Array.from({ length: 10 }, () => {
      pass(61 * minute)
      return attempt('thief', 'password-mode', false)
    })
    expect(
      verdicts.slice(0, 9).every((decision) => 'revokesIfWrong' in decision && !decision.revokesIfWrong),
    ).toBe(true)
    expect(verdicts[9]).toMatchObject({ verdict: 'compare', revokesIfWrong: true })
    expect(attempt('thief', 'password-mode', true)).toEqual({ verdict: 'refuse', revokes: true })
  })
})

describe('the soft budget', () => {
  it('is used up after twenty failures a day in all sessions, until the session unlocks in password mode', () => {
    const { softly, right } = account()
    for (let index = 0; index < 20; index += 1) expect(softly(`s${index % 2}`).verdict).toBe('compare')
    expect(softly('own').verdict).toBe('refuse')
    right('own')
    expect(softly('own').verdict).toBe('compare')
    expect(softly('s0').verdict).toBe('refuse')
  })

  it('of a session that had the number is its own: strangers cannot use it up, twenty failures a day of its own do', () => {
    const { softly, right, pass } = account()
    right('own')
    for (let index = 0; index < 20; index += 1) softly('stranger')
    expect(softly('stranger').verdict).toBe('refuse')
    for (let index = 0; index < 20; index += 1) expect(softly('own').verdict).toBe('compare')
    expect(softly('own').verdict).toBe('refuse')
    pass(day)
    expect(softly('own').verdict).toBe('compare')
  })

  it('is renewed on the next day', () => {
    const { softly, pass } = account()
    for (let index = 0; index < 20; index += 1) softly('own')
    pass(day)
    expect(softly('own').verdict).toBe('compare')
  })

  it('is used up after sixty failures in the life of a session, also when it unlocks', () => {
    const { softly, right, pass } = account()
    for (let index = 0; index < 60; index += 1) {
      if (index % 20 === 0) pass(day)
      expect(softly('own').verdict).toBe('compare')
    }
    pass(day)
    right('own')
    expect(softly('own').verdict).toBe('refuse')
    expect(softly('other').verdict).toBe('compare')
  })

  it('and the explicit budget do not affect each other', () => {
    const { softly, wrong, right } = account()
    for (let index = 0; index < 21; index += 1) softly('own')
    wrong('own', 9)
    expect(right().verdict).toBe('compare')
  })

  it('counts a chain of growing entries as one failure', () => {
    const { softly, stored } = account()
    for (const entry of ['1357', '13579', '135791', '8642']) softly('own', entry)
    expect(stored()).toMatchObject({ soft: 2, sessions: { own: { soft: 2 } } })
  })
})

describe('the stored budget of an account', () => {
  it('keeps sessions with wrong entries for as long as a session can live, and of the others the newest hundred', () => {
    const { wrong, right, pass, stored } = account()
    wrong('thief')
    for (let index = 0; index < 150; index += 1) right(`s${index}`)
    pass(day)
    right('own')
    expect(Object.keys(stored().sessions)).toHaveLength(102)
    expect(stored().sessions).toHaveProperty('thief')
    expect(stored().sessions).not.toHaveProperty('s49')
    pass((limits.sessionLifetimeDays - 2) * day)
    right('own')
    expect(stored().sessions).toHaveProperty('thief')
    pass(2 * day)
    right('own')
    expect(stored().sessions).not.toHaveProperty('thief')
  })
})

describe('the prefixes of an entry', () => {
  it('are the shorter entries that were checked while it was typed', () => {
    expect(checkedPrefixes('123456')).toEqual(['1234', '12345'])
    expect(checkedPrefixes('1234')).toEqual([])
  })
})
