import { rebaseOutcome } from './rebase-outcome.ts'
import { decideTry, emptyBudget } from './unlock-budget.ts'
import type { PinTry, UnlockBudget } from './unlock-budget.ts'

const start = Date.UTC(2026, 0, 1, 12)

function compareAt(budget: UnlockBudget, sessionId: string, seconds: number, way: PinTry['way']) {
  const now = new Date(start + seconds * 1000)
  const pinTry = { id: `${seconds}`, sessionId, way, entryMac: `${seconds}`, prefixMacs: [], arrivedAt: now }
  const decision = decideTry(budget, pinTry, now)
  if (decision.verdict !== 'compare') throw new Error(decision.verdict)
  return decision
}

describe('the outcome of a PIN try, stored after other tries were counted,', () => {
  const before = compareAt(emptyBudget(new Date(start)), 'own', 1, 'password-mode').ifWrong

  it('is not counted as wrong when it was right, and keeps the counts of the others', () => {
    const mine = compareAt(before, 'own', 10, 'password-mode')
    const newest = compareAt(mine.ifWrong, 'thief', 12, 'password-mode').ifWrong
    const settled = rebaseOutcome(newest, 'own', mine.ifWrong, mine.ifRight)
    expect(settled).toMatchObject({ explicit: 1, wrongEntries: 1, turn: newest.turn })
    expect(settled.sessions['own']).toMatchObject({
      explicit: 0,
      recentWrong: [],
      unlockedAt: new Date(start + 10_000),
    })
    expect(settled.sessions['thief']).toEqual(newest.sessions['thief'])
  })

  it('keeps a later wrong entry of the same session', () => {
    const mine = compareAt(before, 'own', 10, 'password-mode')
    const newest = compareAt(mine.ifWrong, 'own', 12, 'password-mode').ifWrong
    const settled = rebaseOutcome(newest, 'own', mine.ifWrong, mine.ifRight)
    expect(settled.sessions['own']).toMatchObject({ explicit: 1, recentWrong: [new Date(start + 12_000)] })
  })

  it.each(['password-mode', 'digits', 'probe'] as const)(
    'gives a try by %s back that was not compared',
    (way) => {
      const mine = compareAt(before, 'own', 10, way)
      const newest = compareAt(mine.ifWrong, 'thief', 12, 'digits').ifWrong
      const settled = rebaseOutcome(newest, 'own', mine.ifWrong, mine.ifNotCompared)
      expect(settled).toMatchObject({ explicit: 1, soft: 1, wrongEntries: 1, pausedUntil: null })
      expect(settled.sessions['own']).toEqual({
        ...before.sessions['own'],
        triedAt: new Date(start + 10_000),
      })
    },
  )

  it('ends the pause that it would have started, but no pause of another try', () => {
    let nearlyPaused = emptyBudget(new Date(start))
    for (let seconds = 2; seconds <= 18; seconds += 2)
      nearlyPaused = compareAt(nearlyPaused, 'own', seconds, 'password-mode').ifWrong
    const mine = compareAt(nearlyPaused, 'own', 20, 'password-mode')
    expect(mine.ifWrong.pausedUntil).not.toBeNull()
    const newest = compareAt(mine.ifWrong, 'thief', 22, 'digits').ifWrong
    const settled = rebaseOutcome(newest, 'own', mine.ifWrong, mine.ifNotCompared)
    expect(settled.pausedUntil).toBeNull()
    expect(settled.sessions['own']?.pausedUntil).toBeNull()
    const pausedByOther = { ...newest, pausedUntil: new Date(start + 90_000) }
    expect(rebaseOutcome(pausedByOther, 'own', mine.ifWrong, mine.ifNotCompared).pausedUntil).toEqual(
      pausedByOther.pausedUntil,
    )
  })

  it('does not reduce the soft failures of a day that began meanwhile', () => {
    const midnight = 12 * 3600
    const mine = compareAt(before, 'own', midnight - 1, 'digits')
    const newest = compareAt(mine.ifWrong, 'thief', midnight + 1, 'digits').ifWrong
    expect(rebaseOutcome(newest, 'own', mine.ifWrong, mine.ifNotCompared).soft).toBe(1)
  })
})
