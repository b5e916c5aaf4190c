// Everybody unlocks in the same moment. The hash queue may ask to come again (429); nobody is told that a right PIN is wrong.
import { check } from 'k6'
import exec from 'k6/execution'
import { Counter, Trend } from 'k6/metrics'
import { get, post, withFreshToken } from './lib/api.js'
import { summaryTrendStats } from './lib/measures.js'
import { headCount, personAt } from './lib/people.js'
import { sleepUntil, untilLetIn } from './lib/until-let-in.js'

const unlock = new Trend('unlock', true)
const askedAgain = new Counter('asked_again')
const unlocked = new Counter('unlocked')
const patienceMs = 60_000
const gatherMs = 2000 + headCount * 20

export const options = {
  scenarios: {
    storm: {
      executor: 'per-vu-iterations',
      vus: headCount,
      iterations: 1,
      maxDuration: `${Math.ceil((gatherMs + patienceMs) / 1000) + 10}s`,
    },
  },
  thresholds: { checks: ['rate==1'], unlocked: [`count==${headCount}`] },
  summaryTrendStats,
}

export { handleSummary } from './lib/summary.js'

export function setup() {
  unlocked.add(0)
  askedAgain.add(0)
  return { people: headCount }
}

export default function storm() {
  const person = personAt(exec.scenario.iterationInTest)
  check(post(withFreshToken(person), '/api/lock'), { 'is locked first': ({ status }) => status === 200 })
  const ready = withFreshToken(person)
  sleepUntil(exec.scenario.startTime + gatherMs)

  const startedAt = Date.now()
  const ask = () => post(ready, '/api/verify-numeric-password', { numericPassword: person.pin })
  const { answer, refusals } = untilLetIn(ask, patienceMs)
  askedAgain.add(refusals)
  check(answer, {
    'the right PIN is not called wrong': ({ status }) => status !== 403,
    'is unlocked in the end': ({ status }) => status === 200,
  })
  if (answer.status !== 200) return console.warn(`${answer.status} ${answer.body}`)
  unlock.add(Date.now() - startedAt)
  unlocked.add(1)
  check(get(person, '/api/conversations'), { 'and reads at once': ({ status }) => status === 200 })
}
