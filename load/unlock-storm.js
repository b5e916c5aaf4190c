// All people unlock at the same moment. The hash queue may answer 429 (try again); a right PIN is never called wrong.
import { check } from 'k6'
import { get, post, withFreshToken } from './lib/api.js'
import { createStorm } from './lib/storm.js'

const storm = createStorm({ latency: 'unlock', done: 'unlocked', msPerHead: 20 })

export const { options, setup } = storm

export default function unlock() {
  const person = storm.person()
  check(post(withFreshToken(person), '/api/lock'), { 'is locked first': ({ status }) => status === 200 })
  const ready = withFreshToken(person)
  const answer = storm.rush(() =>
    post(ready, '/api/verify-numeric-password', { numericPassword: person.pin }),
  )
  check(answer, {
    'the right PIN is not called wrong': ({ status }) => status !== 403,
    'is unlocked in the end': ({ status }) => status === 200,
  })
  if (answer.status !== 200) return
  check(get(person, '/api/conversations'), { 'and reads at once': ({ status }) => status === 200 })
}
