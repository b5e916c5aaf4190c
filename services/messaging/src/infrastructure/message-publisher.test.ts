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
/** The keys of each command that moved rows. */
let moved: string[][]
/** Messages whose rows the majority has not moved. */
let rolledBack: string[]
/** The conversation of which a row is locked. */
let locked: string | undefined
let log: string[]
let marked: string[]
let publisher: MessagePublisher
/** Whether Redis took a hint, once it has answered. */
let hinted: Promise<boolean>
let published: OutgoingRecord[]
let unpublished: MessageRecord[]
let suspendedAfterPublishingMs: number

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] })
  ;[isKafkaUp, isDatabaseUp] = [true, true]
  ;[moved, rolledBack, log, marked] = [[], [], [], []]
  locked = undefined
  hinted = Promise.resolve(true)
  published = []
  unpublished = []
  suspendedAfterPublishingMs = 0
  const publish = (records: readonly OutgoingRecord[]) => {
    if (!isKafkaUp) return Promise.reject(new Error('no Kafka'))
    published.push(...records)
    log.push('published')
    jest.setSystemTime(Date.now() + suspendedAfterPublishingMs)
    return Promise.resolve()
  }
  const memberActivity = {
    moveSurely: async (records: readonly StoredMessage[]) => {
      await memberActivity.move(records.filter(({ conversationId }) => conversationId !== locked))
      return records.filter(({ conversationId }) => conversationId === locked)
    },
    move: (records: readonly StoredMessage[]) => {
      if (!isDatabaseUp) return Promise.reject(new Error('no database'))
      moved.push(records.map(({ _id }) => _id))
      log.push('moved')
      return Promise.resolve()
    },
    moved: (records: readonly StoredMessage[]) =>
      Promise.resolve(records.map(({ _id }) => _id).filter((key) => !rolledBack.includes(key))),
  }
  const messages = {
    markPublished: (keys: readonly string[]) => {
      unpublished = unpublished.filter(({ _id }) => !keys.includes(_id))
      log.push('marked')
      return Promise.resolve(void marked.push(...keys))
    },
    unpublishedFrom: async function* (from: Date, until: Date, atOnce: number) {
      const found = unpublished.filter((row) => row.createdAt >= from && row.createdAt <= until)
      for (let at = 0; at < found.length; at += atOnce)
        yield await Promise.resolve(found.slice(at, at + atOnce))
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
    memberActivity,
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
const store = (seq: number, hidden: { isHidden?: true } = {}) => publisher.publish(recordOf(seq, hidden))
const keys = (...seqs: number[]) => seqs.map((seq) => messageKey('c1', seq))

it('moves the rows of all messages of one tick with one command, which each of them waits for', async () => {
  const answers = [1, 2, 3].map((seq) => store(seq))
  expect(moved).toEqual([])
  await Promise.all(answers)
  expect(moved).toEqual([keys(1, 2, 3)])
  await store(4)
  expect(moved).toEqual([keys(1, 2, 3), keys(4)])
})

it('marks a message as published once Kafka has acknowledged it', async () => {
  await store(1)
  await jest.advanceTimersByTimeAsync(2000)
  expect(marked).toEqual(keys(1))
})

it('leaves a message unpublished whose rows the majority has not moved', async () => {
  rolledBack = keys(1)
  await Promise.all([store(1), store(2)])
  await jest.advanceTimersByTimeAsync(2000)
  expect(marked).toEqual(keys(2))
})

it('marks a message that the majority moves a second later, so that no sweep publishes it again', async () => {
  rolledBack = keys(1)
  await publisher.publish({ ...recordOf(1), createdAt: new Date() })
  await jest.advanceTimersByTimeAsync(1600)
  expect(marked).toEqual([])
  rolledBack = []
  await jest.advanceTimersByTimeAsync(1000)
  expect(marked).toEqual(keys(1))
})

it('publishes, before it is closed, what Redis has not answered yet', async () => {
  const answer = Promise.withResolvers<boolean>()
  hinted = answer.promise
  await store(1)
  let isClosed = false
  const closed = publisher.close().then(() => (isClosed = true))
  await jest.advanceTimersByTimeAsync(100)
  expect([isClosed, published.length]).toEqual([false, 0])
  answer.resolve(true)
  await closed
  expect(published).toHaveLength(1)
})

it('moves rows also while Kafka is down, and marks nothing', async () => {
  isKafkaUp = false
  await store(1)
  await jest.advanceTimersByTimeAsync(2000)
  expect(moved).toEqual([keys(1)])
  expect(marked).toEqual([])
})

it('publishes a message whose rows could not be moved, and leaves the mark for the sweep', async () => {
  isDatabaseUp = false
  await store(1)
  await jest.advanceTimersByTimeAsync(2000)
  expect(published).toHaveLength(1)
  expect(marked).toEqual([])
})

it('sweeps by moving the rows first, then publishing, then marking', async () => {
  unpublished = [recordOf(1)]
  await publisher.sweep(new Date())
  expect(log).toEqual(['moved', 'moved', 'published', 'marked'])
})

it('moves the rows of the whole backlog in a sweep while Kafka is down, and of its newest messages in the next ones', async () => {
  isKafkaUp = false
  unpublished = Array.from({ length: 1200 }, (_, index) => recordOf(index + 1))
  const now = new Date()
  await expect(publisher.sweep(now)).rejects.toThrow('no Kafka')
  expect(moved[2]).toEqual(unpublished.slice(1000).map(({ _id }) => _id))
  const next = { ...recordOf(1201), createdAt: now }
  unpublished.push(next)
  moved = []
  await expect(publisher.sweep(new Date(now.getTime() + 5000))).rejects.toThrow('no Kafka')
  expect(moved[0]).toEqual([next._id])
  moved = []
  await expect(publisher.sweep(new Date(now.getTime() + 61_000))).rejects.toThrow('no Kafka')
  expect(moved[0]).toHaveLength(500)
})

it('publishes the other messages in a sweep while a row of one is locked, and tries that one again', async () => {
  const other = { ...recordOf(2), _id: messageKey('c2', 2), conversationId: 'c2' }
  unpublished = [other, recordOf(1)]
  locked = 'c2'
  expect(await publisher.sweep(new Date())).toBe(1)
  expect(marked).toEqual(keys(1))
  locked = undefined
  moved = []
  expect(await publisher.sweep(new Date())).toBe(1)
  expect(moved[0]).toEqual([other._id])
})

it('publishes nothing in a sweep that cannot move the rows', async () => {
  unpublished = [recordOf(1)]
  isDatabaseUp = false
  await expect(publisher.sweep(new Date())).rejects.toThrow('no database')
  expect(log).toEqual([])
})

it.each([
  [true, { hinted: '1' }],
  [false, {}],
])(
  'an event waits for the answer of Redis, and says whether it took the hints (%s)',
  async (taken, headers) => {
    const answer = Promise.withResolvers<boolean>()
    hinted = answer.promise
    await store(1)
    await jest.advanceTimersByTimeAsync(100)
    expect(published).toEqual([])
    answer.resolve(taken)
    await jest.advanceTimersByTimeAsync(100)
    expect(published.map((record) => record.headers)).toEqual([headers])
  },
)

it('continues to sweep while it holds the lease, and starts no further batch after its process was suspended', async () => {
  unpublished = Array.from({ length: 1200 }, (_, index) => recordOf(index + 1))
  suspendedAfterPublishingMs = 10_000
  expect(await publisher.sweep(new Date())).toBe(500)
  suspendedAfterPublishingMs = 0
  expect(await publisher.sweep(new Date())).toBe(700)
})
