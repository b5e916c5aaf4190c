// Reads histories: the newest page, and pages from deep inside, of conversations that setup fills first.
import { check } from 'k6'
import exec from 'k6/execution'
import { Counter, Trend } from 'k6/metrics'
import { getMessages, newestSeq, post } from './lib/api.js'
import { summaryTrendStats } from './lib/measures.js'
import { messageIds, newRun } from './lib/message-ids.js'
import { pairs } from './lib/people.js'
import { numberSetting } from './lib/setting.js'

const depth = numberSetting('DEPTH', 2000)
const ratePerSecond = numberSetting('RATE', 100)
const seconds = numberSetting('SECONDS', 20)
const filled = Math.min(pairs.length, 10)
const pageSize = 50

const firstPage = new Trend('first_page', true)
const deepPage = new Trend('deep_page', true)
const pages = new Counter('pages')

export const options = {
  setupTimeout: '300s',
  scenarios: {
    read: {
      executor: 'constant-arrival-rate',
      rate: ratePerSecond,
      timeUnit: '1s',
      duration: `${seconds}s`,
      preAllocatedVUs: Math.max(10, ratePerSecond / 2),
    },
  },
  thresholds: { checks: ['rate==1'], pages: ['count>0'], dropped_iterations: ['count==0'] },
  summaryTrendStats,
}

/** Fills each conversation up to `DEPTH`; what is there from an earlier run counts. */
export function setup() {
  pages.add(0)
  const { idOf } = messageIds(newRun())
  let number = 0
  const lengths = []
  for (let at = 0; at < filled; at += 1) {
    const [writer] = pairs[at]
    let length = newestSeq(writer)
    while (length < depth) {
      const { conversationId } = writer
      const message = {
        conversationId,
        clientMessageId: idOf(++number),
        messageType: 'text',
        content: `line ${number}`,
      }
      const answer = post(writer, '/api/messages', message)
      if (answer.status !== 201) throw new Error(`Filling a conversation: ${answer.status} ${answer.body}`)
      length = Number(answer.json('seq'))
    }
    lengths.push(length)
  }
  return { depth, ratePerSecond, seconds, lengths }
}

export default function read({ lengths }) {
  const turn = exec.scenario.iterationInTest
  const at = turn % filled
  const [reader] = pairs[at]
  const length = lengths[at]
  const isDeep = turn % 2 === 1
  // Any place but the newest page.
  const before = 1 + pageSize + Math.floor(Math.random() * Math.max(1, length - 2 * pageSize))
  const answer = getMessages(reader, `limit=${pageSize}${isDeep ? `&before=${before}` : ''}`)
  const trend = isDeep ? deepPage : firstPage
  trend.add(answer.timings.duration)
  pages.add(1)
  const last = isDeep ? before - 1 : length
  const wanted = Array.from({ length: pageSize }, (_, index) => last - pageSize + 1 + index)
  check(answer, {
    'the page is whole and in order': ({ status }) =>
      status === 200 && String(answer.json('#.seq')) === String(wanted),
  })
}
