// Many sockets that only listen: none is lost, and after all that silence every single one still hears.
import { check, sleep } from 'k6'
import exec from 'k6/execution'
import { Counter, Trend } from 'k6/metrics'
import { setTimeout } from 'k6/timers'
import { post, withFreshToken } from './lib/api.js'
import { connect } from './lib/live-socket.js'
import { counters, summaryTrendStats, touchCounters } from './lib/measures.js'
import { messageIds, newRun } from './lib/message-ids.js'
import { headCount, pairs, personAt } from './lib/people.js'
import { numberSetting } from './lib/setting.js'

const sockets = numberSetting('SOCKETS', 1000)
const seconds = numberSetting('SECONDS', 60)
const perListener = 50
/** Sockets are opened over this time: a storm is another scenario. */
const openMs = sockets * 10
const hearWithinMs = 10_000

const connecting = new Trend('connecting', true)
const heard = new Counter('sockets_that_heard')

const listeners = Math.ceil(sockets / perListener)
const speakAtMs = openMs + seconds * 1000

export const options = {
  scenarios: {
    listen: {
      executor: 'per-vu-iterations',
      exec: 'listen',
      vus: listeners,
      iterations: 1,
      maxDuration: `${Math.ceil((speakAtMs + hearWithinMs) / 1000) + 30}s`,
    },
    speak: {
      executor: 'per-vu-iterations',
      exec: 'speak',
      vus: 1,
      iterations: 1,
      startTime: `${Math.ceil(speakAtMs / 1000)}s`,
    },
  },
  thresholds: {
    checks: ['rate==1'],
    sockets_that_heard: [`count==${sockets}`],
    ...{ sockets_lost: ['count==0'], sockets_refused: ['count==0'], sockets_missing: ['count==0'] },
  },
  summaryTrendStats,
}

export { handleSummary } from './lib/summary.js'

export function setup() {
  touchCounters()
  heard.add(0)
  return { sockets, seconds, people: headCount, run: newRun() }
}

/** @param {{ run: string }} data */
export async function listen({ run }) {
  const { isOurs } = messageIds(run)
  const start = exec.scenario.startTime
  const first = exec.scenario.iterationInTest * perListener
  const open = (/** @type {number} */ index) => {
    const startedAt = Date.now()
    let hasHeard = false
    return connect(personAt(index % headCount), {
      onConnected: () => connecting.add(Date.now() - startedAt),
      onRefused: (reason) => counters.socketsRefused.add(1, { reason }),
      onLost: (reason) => counters.socketsLost.add(1, { reason }),
      onEvent(event) {
        if (hasHeard || event.type !== 'new_message' || !isOurs(event.data.clientMessageId)) return
        hasHeard = true
        heard.add(1)
      },
    })
  }
  const wait = (/** @type {number} */ untilMs) =>
    new Promise((resolve) => setTimeout(() => resolve(undefined), Math.max(0, untilMs - Date.now())))
  const own = []
  for (let index = first; index < Math.min(first + perListener, sockets); index += 1) {
    await wait(start + ((index - first) / perListener) * openMs)
    own.push(open(index))
  }
  await wait(start + speakAtMs + hearWithinMs)
  counters.socketsMissing.add(own.filter(({ connected }) => !connected).length)
  for (const socket of own) socket.close()
}

/** One message in every conversation: all sockets of both sides are to hear it. @param {{ run: string }} data */
export function speak({ run }) {
  const { idOf } = messageIds(run)
  pairs.forEach(([speaker], index) => {
    const { conversationId } = speaker
    const message = {
      conversationId,
      clientMessageId: idOf(index),
      messageType: 'text',
      content: 'Anybody there?',
    }
    const answer = post(withFreshToken(speaker), '/api/messages', message)
    check(answer, { 'a message after the silence is accepted': ({ status }) => status === 201 })
    sleep(0.01)
  })
}
