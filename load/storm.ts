// All people unlock, or sign in, at the same moment, and try again while the answer is 429. A right PIN or password
// must not be refused in any other way.
import { check, sleep } from 'k6'
import exec from 'k6/execution'
import http from 'k6/http'
import { Counter, Trend } from 'k6/metrics'
import { get, post, sessionOf, withFreshToken } from './lib/api.ts'
import type { Session } from './lib/api.ts'
import { peopleCount, personAt } from './lib/people.ts'

const isLogin = __ENV['LOGIN'] !== undefined
const admissionTimeoutMs = 60_000
const gatherMs = 2000 + peopleCount * 20

const took = new Trend(isLogin ? 'login' : 'unlock', true)
const admitted = new Counter('admitted')
const askedAgain = new Counter('asked_again')

export const options = {
  scenarios: {
    storm: {
      executor: 'per-vu-iterations',
      exec: isLogin ? 'signIn' : 'unlock',
      vus: peopleCount,
      iterations: 1,
      maxDuration: `${Math.ceil((gatherMs + admissionTimeoutMs) / 1000) + 10}s`,
    },
  },
  thresholds: { checks: ['rate==1'], admitted: [`count==${peopleCount}`] },
}

export function setup() {
  // k6 ignores the threshold of a counter that has no value, so zero is added.
  admitted.add(0)
}

export function unlock() {
  const session = sessionOf(personAt(exec.scenario.iterationInTest))
  check(post(withFreshToken(session), '/api/lock'), { 'is locked first': ({ status }) => status === 200 })
  const answer = rush(session, '/api/verify-numeric-password', { numericPassword: session.pin })
  check(answer, { 'the right PIN is not called wrong': ({ status }) => status !== 403 })
  check(get(session, '/api/conversations'), { 'reads at once': ({ status }) => status === 200 })
}

/** Signs in with a new session and signs out again. The seeded session stays signed in. */
export function signIn() {
  const person = personAt(exec.scenario.iterationInTest)
  const { username, password } = person
  const session = { ...person, jar: new http.CookieJar() }
  rush(session, '/api/login', { username, password })
  check(get(session, '/api/user'), { 'is this person': (user) => user.json('username') === username })
  check(post(withFreshToken(session), '/api/logout'), { 'signs out': ({ status }) => status === 200 })
}

/**
 * Waits for the moment at which all people begin, and then tries until the answer is not 429 or a minute has passed.
 */
function rush(session: Session, path: string, body: object) {
  const ready = withFreshToken(session)
  sleep(Math.max(0, exec.scenario.startTime + gatherMs - Date.now()) / 1000)
  const startedAt = Date.now()
  for (;;) {
    const answer = post(ready, path, body)
    const waitSeconds = Number(answer.headers['Retry-After'] ?? 0.5 + Math.random())
    const isLate = Date.now() + waitSeconds * 1000 > startedAt + admissionTimeoutMs
    if (answer.status !== 429 || isLate) {
      took.add(Date.now() - startedAt)
      if (check(answer, { 'is admitted': ({ status }) => status === 200 })) admitted.add(1)
      else console.warn(`${answer.status} ${answer.body as string}`)
      return answer
    }
    askedAgain.add(1)
    sleep(waitSeconds)
  }
}
