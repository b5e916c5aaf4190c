// Everybody signs in within the same moment, each with a new session. 429 means: come again; nothing else may go wrong.
import { check } from 'k6'
import exec from 'k6/execution'
import { Counter, Trend } from 'k6/metrics'
import { cookiesAfter, get, post, withFreshToken } from './lib/api.js'
import { summaryTrendStats } from './lib/measures.js'
import { headCount, personAt } from './lib/people.js'
import { sleepUntil, untilLetIn } from './lib/until-let-in.js'

const login = new Trend('login', true)
const askedAgain = new Counter('asked_again')
const signedIn = new Counter('signed_in')
const patienceMs = 60_000
const gatherMs = 2000 + headCount * 10

export const options = {
  scenarios: {
    storm: {
      executor: 'per-vu-iterations',
      vus: headCount,
      iterations: 1,
      maxDuration: `${Math.ceil((gatherMs + patienceMs) / 1000) + 10}s`,
    },
  },
  thresholds: { checks: ['rate==1'], signed_in: [`count==${headCount}`] },
  summaryTrendStats,
}

export { handleSummary } from './lib/summary.js'

export function setup() {
  signedIn.add(0)
  askedAgain.add(0)
  return { people: headCount }
}

export default function storm() {
  const person = personAt(exec.scenario.iterationInTest)
  const visitor = withFreshToken({ ...person, cookie: '' })
  sleepUntil(exec.scenario.startTime + gatherMs)

  const startedAt = Date.now()
  const { username, password } = person
  const { answer, refusals } = untilLetIn(
    () => post(visitor, '/api/login', { username, password }),
    patienceMs,
  )
  askedAgain.add(refusals)
  check(answer, { 'is signed in in the end': ({ status }) => status === 200 })
  if (answer.status !== 200) return console.warn(`${answer.status} ${answer.body}`)
  login.add(Date.now() - startedAt)
  signedIn.add(1)
  const session = withFreshToken({ ...person, cookie: cookiesAfter(visitor.cookie, answer) })
  check(get(session, '/api/user'), { 'as who they are': (user) => user.json('username') === username })
  // The session of the seed stays; this one is not left behind.
  check(post(session, '/api/logout'), { 'signs out': ({ status }) => status === 200 })
}
