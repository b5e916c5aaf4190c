// One pair, every step once: signs in, unlocks, connects, sends, is heard, reads, locks.
import { check } from 'k6'
import http from 'k6/http'
import { Counter } from 'k6/metrics'
import { setTimeout } from 'k6/timers'
import { cookiesAfter, get, getMessages, post, withFreshToken } from './lib/api.js'
import { connect } from './lib/live-socket.js'
import { summaryTrendStats } from './lib/measures.js'
import { messageIds, newRun } from './lib/message-ids.js'
import { pairs } from './lib/people.js'
import { gateway } from './lib/setting.js'

export const options = {
  scenarios: { smoke: { executor: 'per-vu-iterations', vus: 1, iterations: 1, maxDuration: '30s' } },
  thresholds: { checks: ['rate==1'], finished: ['count==1'] },
  summaryTrendStats,
}

/** An exception ends an iteration without a failed check. */
const finished = new Counter('finished')
export const setup = () => finished.add(0)
export { handleSummary } from './lib/summary.js'

/** @typedef {import('./lib/people.js').Person} Person */

/** @param {Person} seeded */
function signIn(seeded) {
  const visitor = withFreshToken({ ...seeded, cookie: '' })
  const answer = post(visitor, '/api/login', { username: seeded.username, password: seeded.password })
  check(answer, { 'signs in': ({ status }) => status === 200 })
  const person = withFreshToken({ ...seeded, cookie: cookiesAfter(visitor.cookie, answer) })
  check(getMessages(person, 'limit=1'), { 'reads nothing while locked': ({ status }) => status === 423 })
  const unlocked = post(person, '/api/verify-numeric-password', { numericPassword: seeded.pin })
  check(unlocked, { 'unlocks with the PIN': ({ status }) => status === 200 })
  return person
}

/**
 * @template T
 * @param {(resolve: (value: T) => void) => void} begin
 * @returns {Promise<T | undefined>}
 */
const within5s = (begin) =>
  new Promise((resolve) => {
    begin(resolve)
    setTimeout(() => resolve(undefined), 5000)
  })

export default async function smoke() {
  const page = http.get(`${gateway}/`)
  check(page, {
    'shows the calculator': ({ status, body }) => status === 200 && String(body).includes('Calculator'),
  })
  const [ann, bob] = pairs[0].map(signIn)
  check(get(ann, '/api/conversations'), {
    'lists the conversation': (answer) =>
      answer.status === 200 && String(answer.body).includes(ann.conversationId),
  })

  /** @type {(event: any) => void} */
  let hear = () => undefined
  /** @type {(reason: string) => void} */
  let lose = () => undefined
  /** @type {ReturnType<typeof connect> | undefined} */
  let socket
  const connected = await within5s((resolve) => {
    socket = connect(bob, {
      onConnected: () => resolve(true),
      onRefused: () => resolve(false),
      onEvent: (event) => hear(event),
      onLost: (reason) => lose(reason),
    })
  })
  check(connected, { 'connects a socket': (value) => value === true })

  const clientMessageId = messageIds(newRun()).idOf(1)
  const message = {
    conversationId: ann.conversationId,
    clientMessageId,
    messageType: 'text',
    content: 'smoke',
  }
  const heard = await within5s((resolve) => {
    hear = (event) => {
      if (event.type === 'new_message' && event.data.clientMessageId === clientMessageId) resolve(event.data)
    }
    const sent = post(withFreshToken(ann), '/api/messages', message)
    check(sent, { 'sends a message': ({ status }) => status === 201 })
    const again = post(withFreshToken(ann), '/api/messages', message)
    check(again, {
      'is answered with the same message for the same id': (answer) =>
        answer.status === 200 && answer.json('seq') === sent.json('seq'),
    })
  })
  check(heard, { 'is heard by the other': (data) => data?.content === 'smoke' })
  const history = getMessages(bob, 'limit=5')
  check(history, {
    'stands once in the history': ({ body }) => String(body).split(clientMessageId).length === 2,
  })
  const read = post(withFreshToken(bob), `/api/conversations/${bob.conversationId}/read`, {
    seq: heard?.seq ?? 1,
  })
  check(read, { 'marks it read': ({ status }) => status === 200 })

  const lost = await within5s((resolve) => {
    lose = resolve
    check(post(withFreshToken(bob), '/api/lock'), { locks: ({ status }) => status === 200 })
  })
  check(lost, { 'loses the socket with the lock': (reason) => reason !== undefined })
  check(getMessages(bob, 'limit=1'), { 'reads nothing once locked': ({ status }) => status === 423 })
  socket?.close()
  for (const person of [ann, bob]) {
    check(post(withFreshToken(person), '/api/logout'), { 'signs out': ({ status }) => status === 200 })
  }
  finished.add(1)
}
