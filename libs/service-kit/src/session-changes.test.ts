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
    ask: (since) =>
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

  it('reports each change once although answers repeat it, and a new change of the same session again', async () => {
    const { question, reported, pass } = setUp()
    await question(0).answer({ reset: true })
    await pass(2000)
    await question(1).answer({ changed: [change('a', 1)] })
    await pass(2000)
    await question(2).answer({ changed: [change('a', 1), change('b', 2)] })
    await pass(2000)
    await question(3).answer({ changed: [change('a', 3), change('b', 2)] })
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
