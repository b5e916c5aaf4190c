// Reads the newest pages, and pages from deep inside, of conversations that `setup` fills.
import { check } from 'k6'
import exec from 'k6/execution'
import { Counter, Trend } from 'k6/metrics'
import { getMessages, newestSeq, post, sessionOf } from './lib/api.ts'
import { messageIds, newRun } from './lib/message-ids.ts'
import { numberSetting, pairs } from './lib/people.ts'

const ratePerSecond = numberSetting('RATE')
const depth = 2000
const pageSize = 50

const firstPage = new Trend('first_page', true)
const deepPage = new Trend('deep_page', true)
const pages = new Counter('pages')

export const options = {
  setupTimeout: '300s',
  scenarios: {
    read: {
      executor: 'constant-arrival-rate',
      exec: 'read',
      rate: ratePerSecond,
      timeUnit: '1s',
      duration: `${numberSetting('SECONDS')}s`,
      preAllocatedVUs: Math.max(10, Math.ceil(ratePerSecond / 2)),
    },
  },
  thresholds: { checks: ['rate==1'], pages: ['count>0'], dropped_iterations: ['count==0'] },
}

/**
 * Fills each conversation to at least `depth` messages, messages of earlier runs included. Returns the numbers of
 * messages.
 */
export function setup(): number[] {
  // k6 ignores the threshold of a counter that has no value, so zero is added.
  pages.add(0)
  const { idOf } = messageIds(newRun())
  let number = 0
  return pairs.map(([person]) => {
    const writer = sessionOf(person)
    let length = newestSeq(writer)
    while (length < depth) {
      const answer = post(writer, '/api/messages', {
        conversationId: writer.conversationId,
        clientMessageId: idOf(++number),
        messageType: 'text',
        content: `message ${number}`,
      })
      if (answer.status !== 201)
        throw new Error(`A conversation could not be filled: ${answer.status} ${answer.body as string}`)
      length = Number(answer.json('seq'))
    }
    return length
  })
}

export function read(lengths: number[]) {
  const turn = exec.scenario.iterationInTest
  const at = turn % pairs.length
  const length = lengths[at]!
  const isDeep = Math.floor(turn / pairs.length) % 2 === 1
  // The page that ends before this number may lie anywhere except in the newest page.
  const before = 1 + pageSize + Math.floor(Math.random() * (length - 2 * pageSize))
  const answer = getMessages(
    sessionOf(pairs[at]![0]),
    `limit=${pageSize}${isDeep ? `&before=${before}` : ''}`,
  )
  const trend = isDeep ? deepPage : firstPage
  trend.add(answer.timings.duration)
  pages.add(1)
  const last = isDeep ? before - 1 : length
  const wanted = Array.from({ length: pageSize }, (_, index) => last - pageSize + 1 + index)
  check(answer, {
    'the page is whole and in order': ({ status }) =>
      status === 200 && JSON.stringify(answer.json('#.seq')) === JSON.stringify(wanted),
  })
}
