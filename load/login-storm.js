// All people sign in at the same moment, each with a new session. 429 means try again; nothing else may go wrong.
import { check } from 'k6'
import { cookiesAfter, get, post, withFreshToken } from './lib/api.js'
import { createStorm } from './lib/storm.js'

const storm = createStorm({ latency: 'login', done: 'signed_in', msPerHead: 10 })

export const { options, setup } = storm

export default function signIn() {
  const person = storm.person()
  const { username, password } = person
  const visitor = withFreshToken({ ...person, cookie: '' })
  const answer = storm.rush(() => post(visitor, '/api/login', { username, password }))
  check(answer, { 'signs in within a minute': ({ status }) => status === 200 })
  if (answer.status !== 200) return
  const session = withFreshToken({ ...person, cookie: cookiesAfter(visitor.cookie, answer) })
  check(get(session, '/api/user'), {
    'is the person who signed in': (user) => user.json('username') === username,
  })
  // The seeded session stays; this one ends.
  check(post(session, '/api/logout'), { 'signs out': ({ status }) => status === 200 })
}
