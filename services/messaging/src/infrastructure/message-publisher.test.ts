import { jest } from '@jest/globals'
import type { OutgoingRecord } from '@sumlock/bus/bus'
import { systemClock } from '@sumlock/service-kit/clock'
import type { Lease } from '@sumlock/service-kit/lease'
import { createLogger } from '@sumlock/service-kit/logger'
import { noTracing } from '@sumlock/service-kit/tracing'
import { messageKey } from '../domain/message.ts'
import type { MessageRecord, StoredMessage } from '../domain/message.ts'
import { createMessagePublisher } from './message-publisher.ts'
import type { MessagePublisher, MessagePublisherOptions } from './message-publisher.ts'

const logger = createLogger({ service: 'messaging', instance: 'test', level: 'silent' })
let isKafkaUp: boolean
let isDatabaseUp: boolean
let movedUp: StoredMessage[][]
let marked: string[]
let publisher: MessagePublisher
/** Whether Redis took a hint, once it has answered. */
let hinted: Promise<boolean>
let published: OutgoingRecord[]
let unpublished: MessageRecord[]
let suspendedAfterPublishingMs: number

beforeEach(() => {
  jest.useFakeTimers()
  ;[isKafkaUp, isDatabaseUp, movedUp, marked] = [true, true, [], []]
  hinted = Promise.resolve(true)
  published = []
  unpublished = []
  suspendedAfterPublishingMs = 0
  const publish = (records: readonly OutgoingRecord[]) => {
    if (!isKafkaUp) return Promise.reject(new Error('no Kafka'))
    published.push(...records)
    jest.setSystemTime(Date.now() + suspendedAfterPublishingMs)
    return Promise.resolve()
  }
  const moveUp = (records: readonly StoredMessage[]) => {
    if (!isDatabaseUp) return Promise.reject(new Error('no database'))
    if (records.length > 0) movedUp.push([...records])
    return Promise.resolve()
  }
  const messages = {
    markPublished: (keys: readonly string[]) => {
      unpublished = unpublished.filter(({ _id }) => !keys.includes(_id))
      return Promise.resolve(void marked.push(...keys))
    },
    unpublishedBefore: (_limit: Date, count: number) => Promise.resolve(unpublished.slice(0, count)),
  }
  const sweepLease: Lease = {
    take: () => Promise.resolve(true),
    renew: () => Promise.resolve(true),
    release: () => Promise.resolve(),
  }
  publisher = createMessagePublisher({
    bus: { publish, logger },
    memberHints: { tell: () => hinted },
    messages,
    sweepLease,
    conversations: { moveUp },
    clock: systemClock(),
    logger,
    tracing: noTracing,
  } as unknown as MessagePublisherOptions)
})
afterEach(async () => {
  await publisher.close()
  jest.useRealTimers()
})

const createdAt = new Date('2026-01-02T03:04:05Z')
const recordOf = (seq: number, hidden: { isHidden?: true } = {}) => {
  const ids = { conversationId: 'c1', senderId: 'ann', memberIds: ['ann', 'ben'] }
  return { _id: messageKey('c1', seq), seq, ...ids, createdAt, ...hidden } as MessageRecord
}
const store = (seq: number, hidden: { isHidden?: true } = {}) => {
  const record = recordOf(seq, hidden)
  publisher.publish(record)
  return record._id
}
const moved = (...seqs: number[]) => seqs.map((seq) => ({ conversationId: 'c1', seq, createdAt }))
const keys = (...seqs: number[]) => seqs.map((seq) => messageKey('c1', seq))

it('moves conversations up once a second for all messages of that second, and marks those afterwards', async () => {
  for (const seq of [1, 2, 3]) store(seq)
  await jest.advanceTimersByTimeAsync(990)
  expect(movedUp).toEqual([])
  await jest.advanceTimersByTimeAsync(10)
  expect(movedUp).toEqual([moved(1, 2, 3)])
  expect(marked).toEqual(keys(1, 2, 3))
})

it('moves a conversation up for a hidden message as hidden, so that its recipient does not see that it came', async () => {
  store(1, { isHidden: true })
  await jest.advanceTimersByTimeAsync(1000)
  expect(movedUp).toEqual([moved(1).map((message) => ({ ...message, isHidden: true }))])
})

it('publishes, before it is closed, what Redis has not answered yet', async () => {
  const answer = Promise.withResolvers<boolean>()
  hinted = answer.promise
  store(1)
  let isClosed = false
  const closed = publisher.close().then(() => (isClosed = true))
  await jest.advanceTimersByTimeAsync(100)
  expect([isClosed, published.length]).toEqual([false, 0])
  answer.resolve(true)
  await closed
  expect(published).toHaveLength(1)
})

it('moves conversations up also while Kafka is down, and marks nothing', async () => {
  isKafkaUp = false
  store(1)
  await jest.advanceTimersByTimeAsync(2000)
  expect(movedUp).toEqual([moved(1)])
  expect(marked).toEqual([])
})

it('moves conversations up later when the database did not answer', async () => {
  isDatabaseUp = false
  store(1)
  await jest.advanceTimersByTimeAsync(1000)
  isDatabaseUp = true
  await jest.advanceTimersByTimeAsync(1000)
  expect(movedUp).toEqual([moved(1)])
})

it.each([
  [true, { hinted: '1' }],
  [false, {}],
])(
  'an event waits for the answer of Redis, and says whether it took the hints (%s)',
  async (taken, headers) => {
    const answer = Promise.withResolvers<boolean>()
    hinted = answer.promise
    store(1)
    await jest.advanceTimersByTimeAsync(100)
    expect(published).toEqual([])
    answer.resolve(taken)
    await jest.advanceTimersByTimeAsync(100)
    expect(published.map((record) => record.headers)).toEqual([headers])
  },
)

it('sweeps on while it holds the lease, and no further batch when its process was suspended meanwhile', async () => {
  unpublished = Array.from({ length: 1200 }, (_, index) => recordOf(index + 1))
  suspendedAfterPublishingMs = 10_000
  expect(await publisher.sweep(new Date())).toBe(500)
  suspendedAfterPublishingMs = 0
  expect(await publisher.sweep(new Date())).toBe(700)
})
