import exec from 'k6/execution'
import { sleep } from 'k6'
import { setTimeout } from 'k6/timers'
import { answerWithinMs, historyAfter, newestSeq, post, withFreshToken } from './api.js'
import { createLedger } from './ledger.js'
import { connect } from './live-socket.js'
import * as measures from './measures.js'
import { fingerprint, messageIds, newRun } from './message-ids.js'
import { groupOf, headCount, pairs } from './people.js'

const { counters } = measures
const peoplePerListener = 20
const tries = 3
const warmUpMark = 'w'
/** Numbers of the warm-up's messages begin here, so that no two of a run are alike. */
const warmUpNumbers = 0x8000_0000

/**
 * Sends at a fixed rate that does not depend on earlier answers, between pairs whose sockets are connected. At the end the
 * history of each person decides which messages were lost or doubled.
 */
export function messageRun(plan) {
  const { ratePerSecond, seconds, warmUpSeconds = 5, freshToken } = plan
  const connectSeconds = 2 + Math.ceil(headCount / 40)
  const sendingSeconds = warmUpSeconds + seconds
  // Every try of the last send has its end, and what it announced had its time to arrive.
  const settleSeconds = Math.ceil((tries * answerWithinMs) / 1000) + 2
  const listeners = Math.ceil(headCount / peoplePerListener)
  const senders = Math.min(600, Math.max(10, Math.ceil(ratePerSecond / 3)))
  const arrivals = (startTime, duration) => ({
    executor: 'constant-arrival-rate',
    exec: 'send',
    rate: ratePerSecond,
    timeUnit: '1s',
    startTime: `${startTime}s`,
    duration: `${duration}s`,
    preAllocatedVUs: senders,
    maxVUs: Math.max(senders, Math.min(1000, ratePerSecond)),
    gracefulStop: `${settleSeconds}s`,
  })

  const options = {
    scenarios: {
      listen: {
        executor: 'per-vu-iterations',
        exec: 'listen',
        vus: listeners,
        iterations: 1,
        maxDuration: `${connectSeconds + sendingSeconds + settleSeconds + 120}s`,
        gracefulStop: '0s',
      },
      warmUp: arrivals(connectSeconds, warmUpSeconds),
      send: arrivals(connectSeconds + warmUpSeconds, seconds),
    },
    thresholds: { ...measures.exactDelivery, ...measures.noErrors },
    summaryTrendStats: measures.summaryTrendStats,
  }

  function setup() {
    measures.touchCounters()
    return { run: newRun(), ratePerSecond, seconds, pairs: pairs.length }
  }

  async function listen({ run }) {
    const { isOurs } = messageIds(run)
    const endsAt = exec.scenario.startTime + (connectSeconds + sendingSeconds + settleSeconds) * 1000
    const group = groupOf(exec.scenario.iterationInTest, peoplePerListener)
    const seats = group.map((person) => {
      const ledger = createLedger({ userId: person.userId, lastSeq: newestSeq(person), isOurs })
      return { person, ledger }
    })
    const sockets = seats.map(({ person, ledger }) =>
      connect(person, {
        onEvent(event) {
          if (event.type !== 'new_message' || !ledger.see(event.data)) return
          const [mark, sentAt] = event.data.content.split(' ')
          if (mark !== warmUpMark) measures.toSocket.add(Date.now() - Number(sentAt))
        },
        onRefused: (reason) => counters.socketsRefused.add(1, { reason }),
        onLost: (reason) => counters.socketsLost.add(1, { reason }),
      }),
    )
    const everySeconds = (period, work) => {
      const last = endsAt - settleSeconds * 1000
      const again = () =>
        Date.now() + period * 1000 < last && void setTimeout(() => (work(), again()), period * 1000)
      again()
    }
    if (plan.dropEverySeconds)
      everySeconds(plan.dropEverySeconds, () => sockets.forEach((socket) => socket.drop()))
    if (plan.keepUnlocked) {
      everySeconds(240, () => {
        for (const person of group) post(withFreshToken(person), '/api/activity')
      })
    }
    await new Promise((resolve) => setTimeout(() => resolve(undefined), endsAt - Date.now()))
    counters.socketsMissing.add(sockets.filter(({ connected }) => !connected).length)
    sockets.forEach((socket) => socket.close())
    for (const { person, ledger } of seats) settle(ledger, historyAfter(person, ledger.lastSeq))
  }

  function send({ run }) {
    const dueAt = Date.now()
    const isWarmUp = exec.scenario.name === 'warmUp'
    const turn = exec.scenario.iterationInTest
    const pair = pairs[turn % pairs.length]
    const person = pair[Math.floor(turn / pairs.length) % 2]
    const message = {
      conversationId: person.conversationId,
      clientMessageId: messageIds(run).idOf(isWarmUp ? warmUpNumbers + turn : turn),
      messageType: 'text',
      content: `${isWarmUp ? warmUpMark : 'm'} ${dueAt}`,
    }
    for (let tried = 1; ; tried += 1) {
      const answer = post(freshToken ? withFreshToken(person) : person, '/api/messages', message)
      if (answer.status === 201 || answer.status === 200) {
        if (!isWarmUp) measures.toAnswer.add(Date.now() - dueAt)
        return accept({ clientMessageId: message.clientMessageId, seq: Number(answer.json('seq')) })
      }
      if (answer.status !== 0 && answer.status < 500) {
        return counters.refused.add(1, { status: String(answer.status) })
      }
      if (tried === tries) return counters.unanswered.add(1, { status: String(answer.status) })
      // It may have been stored: the same id again tells.
      counters.retried.add(1, { status: String(answer.status) })
      sleep(0.1)
    }
  }

  return { options, setup, listen, send }
}

function accept(message) {
  const print = fingerprint(message)
  counters.accepted.add(1)
  for (const counter of [counters.unstored, counters.undelivered]) counter.add(1)
  for (const counter of [counters.unstoredPrints, counters.undeliveredPrints]) counter.add(print)
}

function settle(ledger, history) {
  const found = ledger.settle(history)
  const prints = (list) => list.reduce((sum, message) => sum + fingerprint(message), 0)
  counters.stored.add(found.stored.length)
  counters.unstored.add(-found.stored.length)
  counters.unstoredPrints.add(-prints(found.stored))
  counters.undelivered.add(-found.delivered.length)
  counters.undeliveredPrints.add(-prints(found.delivered))
  counters.bySocket.add(found.bySocket)
  counters.byFetch.add(found.byFetch)
  counters.doubled.add(found.doubled)
  counters.gaps.add(found.gaps)
  counters.altered.add(found.altered)
}
