import { decideTurn } from './unlock-turn.ts'
import type { UnlockTurn, WaitingTry } from './unlock-turn.ts'

const start = new Date('2026-01-01T12:00:00Z').getTime()
const at = (ms: number) => new Date(start + ms)

/** The turn after a wrong entry of the session `thief` at 0. */
const afterWrong = (reservedFor: WaitingTry | null = null): UnlockTurn => ({
  freeAt: at(1000),
  lastSessionId: 'thief',
  reservedFor,
})
const waiting = (sessionId: string, arrivedMs: number, more: Partial<WaitingTry> = {}): WaitingTry => ({
  id: `${sessionId}-${arrivedMs}`,
  sessionId,
  way: 'digits',
  isTrusted: false,
  entryMac: `${arrivedMs}`,
  arrivedAt: at(arrivedMs),
  ...more,
})
const verdict = (turn: UnlockTurn, mine: WaitingTry, ms: number) => decideTurn(turn, mine, at(ms)).verdict

describe('the turn to compare a PIN', () => {
  it('comes a second after a wrong entry', () => {
    const mine = waiting('own', 100)
    expect(verdict(afterWrong(), mine, 999)).toBe('wait')
    expect(verdict(afterWrong(), mine, 1000)).toBe('start')
  })

  it('comes at once after a right entry', () => {
    const turn = { freeAt: at(0), lastSessionId: 'own', reservedFor: null }
    expect(verdict(turn, waiting('own', 0), 0)).toBe('start')
  })

  it('is given up after the time limit', () => {
    const turn = { ...afterWrong(), freeAt: at(3000) }
    expect(verdict(turn, waiting('own', 100), 2100)).toBe('wait')
    expect(verdict(turn, waiting('own', 100), 2101)).toBe('give-up')
  })

  it('is reserved for a session that has proved the PIN, before other waiting sessions', () => {
    const owner = waiting('own', 500, { isTrusted: true })
    const thief = waiting('thief', 600)
    expect(decideTurn(afterWrong(thief), owner, at(600))).toMatchObject({ verdict: 'wait', reserves: true })
    expect(verdict(afterWrong(owner), thief, 1000)).toBe('wait')
    expect(verdict(afterWrong(owner), owner, 1000)).toBe('start')
  })

  it('is reserved for a new session before the one that had the last turn', () => {
    expect(verdict(afterWrong(waiting('thief', 100)), waiting('own', 500), 1000)).toBe('start')
    expect(verdict(afterWrong(waiting('own', 500)), waiting('thief', 600), 1000)).toBe('wait')
  })

  it('stays reserved when another session of equal rank asks for it', () => {
    expect(verdict(afterWrong(waiting('own', 500)), waiting('other', 600), 1000)).toBe('wait')
  })

  it('is not reserved a second time for the same entry', () => {
    const mine = waiting('own', 500)
    expect(decideTurn(afterWrong(), mine, at(600))).toMatchObject({ reserves: true })
    expect(decideTurn(afterWrong(mine), mine, at(600))).toMatchObject({ reserves: false })
  })

  it('is looked for when it is free, and then often while another try may go first', () => {
    const mine = waiting('own', 0)
    expect(decideTurn(afterWrong(), mine, at(1))).toMatchObject({ lookAgainAt: at(1000) })
    const turn = afterWrong(waiting('other', 0, { isTrusted: true }))
    expect(decideTurn(turn, mine, at(1000))).toMatchObject({ lookAgainAt: at(1025) })
  })

  it('ignores a reservation that has expired', () => {
    expect(verdict(afterWrong(waiting('own', -1001)), waiting('thief', 600), 1000)).toBe('start')
  })

  it('goes to the newest entry of a session and drops its earlier entries', () => {
    const older = waiting('own', 400)
    const newer = waiting('own', 800)
    expect(verdict(afterWrong(older), newer, 1000)).toBe('start')
    expect(verdict(afterWrong(newer), older, 900)).toBe('give-up')
  })

  it('is given up by neither of two entries of the same millisecond', () => {
    const first = waiting('own', 400, { id: 'first', entryMac: 'first' })
    const second = waiting('own', 400, { id: 'second', entryMac: 'second' })
    expect(verdict(afterWrong(first), second, 900)).toBe('wait')
    expect(verdict(afterWrong(second), first, 900)).toBe('wait')
  })

  it('is never taken from an entry by a probe, in any order and from any session', () => {
    const entry = waiting('own', 400)
    const ownProbe = waiting('own', 800, { way: 'probe' })
    expect(verdict(afterWrong(ownProbe), entry, 900)).toBe('wait')
    expect(verdict(afterWrong(ownProbe), entry, 1000)).toBe('start')
    expect(verdict(afterWrong(entry), ownProbe, 1000)).toBe('wait')
    const trustedProbe = waiting('other', 500, { way: 'probe', isTrusted: true })
    expect(verdict(afterWrong(entry), trustedProbe, 1000)).toBe('wait')
  })

  it('drops a probe of digits that were typed before an entry', () => {
    const probe = waiting('own', 400, { way: 'probe' })
    expect(verdict(afterWrong(waiting('own', 800)), probe, 900)).toBe('give-up')
  })

  it('is awaited by both of two equal entries', () => {
    const older = waiting('own', 400, { entryMac: 'same' })
    const newer = waiting('own', 500, { entryMac: 'same' })
    expect(verdict(afterWrong(newer), older, 900)).toBe('wait')
  })
})
