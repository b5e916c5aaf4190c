import { jest } from '@jest/globals'
import type { SessionChanges } from '@sumlock/contracts/internal-routes'
import { createLogger } from './logger.ts'
import { followSessionChanges } from './session-changes.ts'
import type { SessionFollower } from './session-changes.ts'

let logged: unknown[]
const logger = createLogger(
  { service: 't', instance: 't', level: 'info' },
  { write: (line) => void logged.push((JSON.parse(line) as { msg: unknown }).msg) },
)
let follower: SessionFollower | undefined
beforeEach(() => {
  logged = []
  jest.useFakeTimers({ now: 0 })
})
afterEach(() => {
  follower?.stop()
  jest.useRealTimers()
})

interface Question {
  since: string | undefined
  answer: (changes: Partial<SessionChanges>) => Promise<void>
  fail: () => Promise<void>
}

function setUp() {
  const asked: Question[] = []
  const reported: string[][] = []
  const resets: number[] = []
  const settle = () => jest.advanceTimersByTimeAsync(0)
  follower = followSessionChanges({
    ask: ({ since }) =>
      new Promise((resolve, reject) => {
        asked.push({
          since,
          answer: (changes) => (resolve({ cursor: '0', changed: [], reset: false, ...changes }), settle()),
          fail: () => (reject(new Error('auth is away')), settle()),
        })
      }),
    onChanged: (sids) => reported.push([...sids]),
    onReset: () => resets.push(Date.now()),
    clock: { nowMs: () => Date.now(), now: () => new Date() },
    logger,
  })
  const question = (number: number) => asked[number] as Question
  return {
    follower,
    asked,
    question,
    reported,
    resets,
    pass: (ms: number) => jest.advanceTimersByTimeAsync(ms),
  }
}
const change = (sid: string, changedAtMs: number) => ({ sid, changedAtMs })

describe('following session changes', () => {
  it('asks at once and then every two seconds, from the cursor of the last answer', async () => {
    const { asked, question, reported, resets, pass } = setUp()
    await question(0).answer({ cursor: '10', reset: true })
    expect(resets).toEqual([0])
    await pass(1999)
    expect(asked).toHaveLength(1)
    await pass(1)
    await question(1).answer({ cursor: '20' })
    await pass(2000)
    expect(asked.map(({ since }) => since)).toEqual([undefined, '10', '20'])
    expect(resets).toHaveLength(1)
    expect(reported).toEqual([])
  })

  it('reports an older change once although answers repeat it, and a new change of the same session again', async () => {
    const { question, reported, pass } = setUp()
    const cursor = '20000'
    await question(0).answer({ reset: true })
    await pass(2000)
    await question(1).answer({ cursor, changed: [change('a', 1)] })
    await pass(2000)
    await question(2).answer({ cursor, changed: [change('a', 1), change('b', 2)] })
    await pass(2000)
    await question(3).answer({ cursor, changed: [change('a', 3), change('b', 2)] })
    expect(reported).toEqual([['a'], ['b'], ['a']])
  })

  it('sends no second request while one is unanswered, and a single one afterwards', async () => {
    const { asked, question, pass } = setUp()
    await question(0).answer({ cursor: '10' })
    await pass(11_000)
    expect(asked).toHaveLength(2)
    await question(1).fail()
    expect(asked).toHaveLength(2)
    await pass(1000)
    expect(asked.map(({ since }) => since)).toEqual([undefined, '10', '10'])
  })

  it('counts the age of an answer from its request, and ignores failures', async () => {
    const { follower, question, pass } = setUp()
    expect(follower.lastGoodAnswerAgeMs()).toBe(Infinity)
    await pass(700)
    await question(0).answer({})
    expect(follower.lastGoodAnswerAgeMs()).toBe(700)
    await pass(1300)
    await question(1).fail()
    await pass(1000)
    expect(follower.lastGoodAnswerAgeMs()).toBe(3000)
  })

  it('logs once that auth does not answer, and once that it answers again', async () => {
    const { question, pass } = setUp()
    await question(0).answer({})
    for (const number of [1, 2]) {
      await pass(2000)
      await question(number).fail()
    }
    for (const number of [3, 4]) {
      await pass(2000)
      await question(number).answer({})
    }
    await pass(2000)
    await question(5).fail()
    const away = 'auth did not answer session changes'
    expect(logged).toEqual([away, 'auth answers session changes again', away])
  })

  it('logs no failure after it was stopped', async () => {
    const { follower, question } = setUp()
    follower.stop()
    await question(0).fail()
    expect(logged).toEqual([])
  })

  it('neither asks nor reports after it was stopped', async () => {
    const { follower, asked, question, reported, resets, pass } = setUp()
    follower.stop()
    await question(0).answer({ changed: [change('a', 1)], reset: true })
    await pass(10_000)
    expect(asked.length).toBe(1)
    expect(reported.length).toBe(0)
    expect(resets.length).toBe(0)
  })
})

/** auth with these changes, each visible from its time on; an answer repeats those of 30 s, and lists a hundred at most. */
function followed() {
  const changes: { sid: string; changedAtMs: number; visibleAtMs: number }[] = []
  const reported: string[] = []
  const resets: number[] = []
  const source = { isAway: false, isCutOff: false, asked: 0 }
  follower = followSessionChanges({
    ask({ since }) {
      source.asked += 1
      if (source.isAway) return Promise.reject(new Error('auth is away'))
      const cursor = String(Date.now())
      if (since === undefined) return Promise.resolve({ cursor, changed: [], reset: true })
      const changed = (source.isCutOff ? [] : changes)
        .filter(
          ({ visibleAtMs, changedAtMs }) =>
            visibleAtMs <= Date.now() && changedAtMs >= Number(since) - 30_000,
        )
        .map(({ sid, changedAtMs }) => ({ sid, changedAtMs }))
      const reset = changed.length > 100
      return Promise.resolve({ cursor, changed: reset ? [] : changed, reset })
    },
    onChanged: (sids) => reported.push(...sids),
    onReset: () => resets.push(Date.now()),
    clock: { nowMs: () => Date.now(), now: () => new Date() },
    logger,
  })
  return {
    follower,
    source,
    reported,
    resets,
    change: (sid: string, changedAtMs = Date.now(), visibleAtMs = changedAtMs) =>
      changes.push({ sid, changedAtMs, visibleAtMs }),
    pass: (ms: number) => jest.advanceTimersByTimeAsync(ms),
  }
}

describe('a session change', () => {
  it('that becomes visible 29 seconds late is reported once', async () => {
    const { change, reported, pass } = followed()
    await pass(60_000)
    change('late', Date.now(), Date.now() + 29_000)
    await pass(28_000)
    expect(reported).toEqual([])
    await pass(60_000)
    expect(reported).toEqual(['late'])
  })

  it('is reported with each answer until it is 12 seconds old, since exchanges may read a primary that was cut off', async () => {
    const { change, reported, pass } = followed()
    await pass(10_000)
    change('a', 10_500)
    await pass(11_900)
    expect(reported).toEqual(Array.from({ length: 5 }, () => 'a'))
    await pass(60_000)
    expect(reported).toHaveLength(7)
  })

  it('that auth could not list while it was young is reported once', async () => {
    const { change, reported, source, pass } = followed()
    await pass(10_000)
    change('a')
    source.isAway = true
    await pass(13_000)
    source.isAway = false
    await pass(60_000)
    expect(reported).toEqual(['a'])
  })

  it('is reported again when an answer from a primary that was cut off lacked it in between', async () => {
    const { change, reported, source, pass } = followed()
    await pass(10_000)
    change('a')
    await pass(12_000)
    const before = reported.length
    source.isCutOff = true
    await pass(2000)
    source.isCutOff = false
    await pass(60_000)
    expect(reported.slice(before)).toEqual(['a'])
  })

  it('from before and during a restart of auth is reported once more when auth answers', async () => {
    const { change, reported, resets, source, pass } = followed()
    await pass(10_000)
    change('before')
    await pass(3000)
    source.isAway = true
    change('during')
    await pass(20_000)
    expect(new Set(reported)).toEqual(new Set(['before']))
    const before = reported.length
    source.isAway = false
    await pass(60_000)
    expect(reported.slice(before)).toEqual(['before', 'during'])
    expect(resets).toHaveLength(1)
  })

  it('among more than auth lists causes a reset', async () => {
    const { change, reported, resets, source, follower: running, pass } = followed()
    await pass(10_000)
    for (let number = 0; number < 1000; number += 1) change(`s${number}`)
    const before = source.asked
    await pass(2000)
    expect(resets).toHaveLength(2)
    expect(reported).toEqual([])
    expect(source.asked - before).toBe(1)
    expect(running.lastGoodAnswerAgeMs()).toBe(0)
  })
})
