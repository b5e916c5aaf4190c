// Sends messages at a fixed rate between pairs with connected sockets. The rate does not depend on earlier answers. At
// the end, the history of each person shows which messages were lost or doubled. `npm run load` sets the differences
// between the scenarios ladder, send, reconnect-storm and soak.
import { sleep } from 'k6'
import exec from 'k6/execution'
import { Counter, Gauge, Trend } from 'k6/metrics'
import { setTimeout } from 'k6/timers'
import { historyAfter, newestSeq, post, requestTimeoutMs, sessionOf, withFreshToken } from './lib/api.ts'
import { createLedger, losses } from './lib/ledger.ts'
import type { Message } from './lib/ledger.ts'
import { connect } from './lib/live-socket.ts'
import { messageIds, newRun } from './lib/message-ids.ts'
import { numberSetting, pairs, peopleCount, personAt } from './lib/people.ts'

const ratePerSecond = numberSetting('RATE')
const seconds = numberSetting('SECONDS')
const isSet = (name: string) => __ENV[name] !== undefined

const peoplePerListener = 20
/**
 * A message begins with the time at which it was due, in 13 digits. Messages that count as sealed do so, too, because
 * the server does not look into their contents.
 */
const timeLength = 13
const length = isSet('LENGTH') ? numberSetting('LENGTH') : timeLength
const tries = 3
const warmUpSeconds = 5
const connectSeconds = 2 + Math.ceil(peopleCount / 40)
const sendingSeconds = warmUpSeconds + seconds
// The last send may need all its tries, and then its message needs time to arrive.
const settleSeconds = Math.ceil((tries * requestTimeoutMs) / 1000) + 2
const senders = Math.min(600, Math.max(10, Math.ceil(ratePerSecond / 3)))

/**
 * `to_answer` measures from the moment a send was due until its answer; `to_socket` until the other person's socket
 * received the message.
 */
const toAnswer = new Trend('to_answer', true)
const toSocket = new Trend('to_socket', true)
/** The measurement takes place between these times of `Date.now()`, without warm-up and settling. */
const measuredFrom = new Gauge('measured_from')
const measuredUntil = new Gauge('measured_until')

const failures = ['refused', 'unanswered', 'sockets_refused', 'sockets_lost', 'sockets_missing'] as const
const mustBeZero = [...losses, ...failures]
const counts = ['accepted', 'stored', 'delivered_by_socket', 'delivered_by_fetch'] as const
type Count = (typeof mustBeZero)[number] | (typeof counts)[number]
const counters = Object.fromEntries(
  [...mustBeZero, ...counts].map((name) => [name, new Counter(name)]),
) as Record<Count, Counter>

export const options = {
  scenarios: {
    listen: {
      executor: 'per-vu-iterations',
      exec: 'listen',
      vus: Math.ceil(peopleCount / peoplePerListener),
      iterations: 1,
      maxDuration: `${connectSeconds + sendingSeconds + settleSeconds + 120}s`,
      gracefulStop: '0s',
    },
    send: {
      executor: 'constant-arrival-rate',
      exec: 'send',
      rate: ratePerSecond,
      timeUnit: '1s',
      startTime: `${connectSeconds}s`,
      duration: `${sendingSeconds}s`,
      preAllocatedVUs: senders,
      maxVUs: Math.max(senders, Math.min(1000, ratePerSecond)),
      gracefulStop: `${settleSeconds}s`,
    },
  },
  thresholds: {
    accepted: ['count>0'],
    // k6 drops a send that is due while no virtual user is free. The rate was then lower than the one that was set.
    ...Object.fromEntries([...mustBeZero, 'dropped_iterations'].map((name) => [name, ['count==0']])),
  },
}

export function setup() {
  // k6 ignores the threshold of a counter that has no value, so zero is added.
  for (const counter of Object.values(counters)) counter.add(0)
  return { run: newRun() }
}

export async function listen({ run }: { run: string }) {
  const { isOurs } = messageIds(run)
  const sendingEndsAt = exec.scenario.startTime + (connectSeconds + sendingSeconds) * 1000
  const endsAt = sendingEndsAt + settleSeconds * 1000
  measuredFrom.add(sendingEndsAt - seconds * 1000)
  measuredUntil.add(sendingEndsAt)
  const first = exec.scenario.iterationInTest * peoplePerListener
  const last = Math.min(first + peoplePerListener, peopleCount)
  const listeners = Array.from({ length: last - first }, (_, at) => {
    const session = sessionOf(personAt(first + at))
    const lastSeq = newestSeq(session)
    return { session, lastSeq, ledger: createLedger(session.userId, lastSeq, isOurs) }
  })
  const sockets = listeners.map(({ session, ledger }) =>
    connect(session, {
      onEvent(event) {
        const { type, data } = event as { type: string; data: Message }
        if (type !== 'new_message' || !ledger.see(data)) return
        const dueAt = Number(data.content.slice(0, timeLength))
        if (dueAt > 0) toSocket.add(Date.now() - dueAt)
      },
      onFailure: (kind, reason) => counters[kind].add(1, { reason }),
    }),
  )
  const repeat = (everySeconds: number, work: () => void) => {
    for (let at = Date.now() + everySeconds * 1000; at < sendingEndsAt; at += everySeconds * 1000)
      setTimeout(work, at - Date.now())
  }
  if (isSet('DROP_SOCKETS')) repeat(10, () => sockets.forEach((socket) => socket.drop()))
  repeat(240, () => listeners.forEach(({ session }) => post(withFreshToken(session), '/api/activity')))
  await new Promise<void>((resolve) => setTimeout(resolve, endsAt - Date.now()))
  counters.sockets_missing.add(sockets.filter((socket) => !socket.isConnected()).length)
  sockets.forEach((socket) => socket.close())
  for (const { session, ledger, lastSeq } of listeners) count(ledger.settle(historyAfter(session, lastSeq)))
}

function count(found: ReturnType<ReturnType<typeof createLedger>['settle']>) {
  for (const [name, number] of Object.entries(found)) counters[name as keyof typeof found].add(number)
  // `send` added every accepted message to both counters, so they now count what was not stored or not delivered.
  counters.unstored.add(-found.stored)
  counters.undelivered.add(-found.delivered_by_socket - found.delivered_by_fetch)
}

export function send({ run }: { run: string }) {
  const dueAt = Date.now()
  const turn = exec.scenario.iterationInTest
  const isWarmUp = turn < warmUpSeconds * ratePerSecond
  // Every pair has its turn before one sends again, in the other direction.
  const direction = Math.floor(turn / pairs.length) % 2
  const session = sessionOf(personAt(2 * (turn % pairs.length) + direction))
  const message = {
    conversationId: session.conversationId,
    clientMessageId: messageIds(run).idOf(turn),
    messageType: 'text',
    content: (isWarmUp ? 'warm-up' : String(dueAt)).padEnd(length, 'x'),
    ...(isSet('SEALED') ? { sealed: { v: 1, from: 1, to: 1 } } : {}),
  }
  for (let tried = 1; ; tried += 1) {
    const sender = isSet('TOKEN_AT_HAND') ? session : withFreshToken(session)
    const { status } = post(sender, '/api/messages', message)
    if (status === 201 || status === 200) {
      if (!isWarmUp) toAnswer.add(Date.now() - dueAt)
      for (const name of ['accepted', 'unstored', 'undelivered'] as const) counters[name].add(1)
      return
    }
    if (status !== 0 && status < 500) return counters.refused.add(1, { status: String(status) })
    if (tried === tries) return counters.unanswered.add(1, { status: String(status) })
    // The message may have been stored. A second one with the same id is answered with 200.
    sleep(0.1)
  }
}
