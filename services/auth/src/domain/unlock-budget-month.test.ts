import { decideTry, emptyBudget, explicitPause } from './unlock-budget.ts'
import type { PinTry } from './unlock-budget.ts'

const seconds = 1000
const dayMs = 86_400_000
const days = 30
const start = new Date('2026-01-01T00:00:00Z').getTime()
const seeds = Array.from({ length: 50 }, (_, index) => index + 1)

interface Attempt {
  by: 'owner' | 'thief'
  way: PinTry['way']
  isRight: boolean
  arrivedMs: number
  atMs: number
}

/** Mulberry32: small, seeded, and good enough to spread entries over a month. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const attempt = (by: Attempt['by'], way: PinTry['way'], isRight: boolean, atMs: number): Attempt => ({
  by,
  way,
  isRight,
  arrivedMs: atMs,
  atMs,
})

/** Unlocks a number of times a day, each time after a number of wrong entries. */
function ownersMonth(random: () => number, mistypes: (index: number) => number): Attempt[] {
  return Array.from({ length: days * 30 }, (_, index) => {
    const atMs = start + ((index + 0.9 * random()) / 30) * dayMs
    const wrong = Array.from({ length: mistypes(index) }, (__, nth) =>
      attempt('owner', 'password-mode', false, atMs + nth * 4 * seconds),
    )
    return [...wrong, attempt('owner', 'password-mode', true, atMs + wrong.length * 4 * seconds)]
  }).flat()
}

const thiefsMonth = (random: () => number, perDay: number, ways: readonly PinTry['way'][]): Attempt[] =>
  Array.from({ length: days * perDay }, () => {
    const way = ways[Math.floor(random() * ways.length)] as PinTry['way']
    return attempt('thief', way, false, start + random() * days * dayMs)
  })

/** Plays the attempts in order of time; a try that has to wait is repeated when its turn may have come. */
function play(attempts: readonly Attempt[], thiefSession: string) {
  const queue = [...attempts].sort((first, second) => second.atMs - first.atMs)
  const sessionOf = { owner: 'own', thief: thiefSession }
  const result = {
    explicitGuesses: 0,
    softGuesses: 0,
    ownerRefused: 0,
    ownerRevoked: false,
    told: 0,
  }
  const revoked = new Set<string>()
  let budget = emptyBudget(new Date(start))
  let untold = 0
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { by, way, isRight, atMs, arrivedMs } = next
    const [sessionId, now] = [sessionOf[by], new Date(atMs)]
    if (revoked.has(sessionId)) continue
    const pinTry = { id: `${by}${arrivedMs}`, sessionId, way, entryMac: `${arrivedMs}` }
    const decision = decideTry(budget, { ...pinTry, prefixMacs: [], arrivedAt: new Date(arrivedMs) }, now)
    if (decision.verdict === 'wait') {
      const again = { ...next, atMs: decision.lookAgainAt.getTime() }
      queue.splice(queue.findLastIndex((other) => other.atMs > again.atMs) + 1, 0, again)
    } else if (decision.verdict === 'refuse') {
      if (isRight && !explicitPause(budget, sessionId, now)) result.ownerRefused += 1
    } else if (isRight) {
      result.told += decision.wrongEntries
      untold = 0
      budget = decision.ifRight
    } else {
      if (by === 'thief') result[way === 'password-mode' ? 'explicitGuesses' : 'softGuesses'] += 1
      if (way === 'password-mode') untold += 1
      budget = decision.ifWrong
      if (decision.revokesIfWrong) revoked.add(sessionId)
    }
  }
  return { ...result, ownerRevoked: revoked.has('own'), untold }
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
const everyTenth = (index: number) => (index % 10 === 0 ? 1 : 0)
const bothWays = ['password-mode', 'probe', 'digits'] as const

describe.each([
  ["the owner's own cookie", 'own'],
  ['a session of his own', 'thief'],
])('a thief with %s, over 30 days', (_, session) => {
  it.each([
    ['twice a day', 2, bothWays],
    ['20 times a day', 20, bothWays],
    ['200 times a day', 200, bothWays],
    ['20 times a day in password mode', 20, ['password-mode'] as const],
    ['200 times a day silently', 200, ['probe', 'digits'] as const],
  ])('guessing %s gets at most 25 explicit and 60 silent guesses compared', (...[, perDay, ways]) => {
    const months = seeds.map((seed) => {
      const random = createRandom(seed)
      return play([...ownersMonth(random, everyTenth), ...thiefsMonth(random, perDay, ways)], session)
    })
    expect(mean(months.map(({ explicitGuesses }) => explicitGuesses))).toBeLessThanOrEqual(25)
    expect(Math.max(...months.map(({ softGuesses }) => softGuesses))).toBeLessThanOrEqual(60)
    // The thief's entries were compared, so the bounds above are a result of the limits.
    expect(
      mean(months.map(({ explicitGuesses, softGuesses }) => explicitGuesses + softGuesses)),
    ).toBeGreaterThan(15)
    expect(months.map(({ ownerRefused }) => ownerRefused)).toEqual(seeds.map(() => 0))
  })

  it('is reported to the owner at the next unlock', () => {
    const random = createRandom(1)
    const month = play(
      [...ownersMonth(random, () => 0), ...thiefsMonth(random, 20, ['password-mode'])],
      session,
    )
    expect(month.told).toBeGreaterThan(0)
    expect(month.told + month.untold).toBe(month.explicitGuesses)
  })
})

it.each([1, 3])(
  'an owner who mistypes %i times before every right entry is never revoked or refused',
  (wrong) => {
    for (const seed of seeds) {
      const month = play(
        ownersMonth(createRandom(seed), () => wrong),
        'thief',
      )
      expect(month).toMatchObject({ ownerRevoked: false, ownerRefused: 0 })
    }
  },
)
