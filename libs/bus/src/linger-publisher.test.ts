import { jest } from '@jest/globals'
import type { Bus, OutgoingRecord } from './bus.ts'
import { createLingerPublisher } from './linger-publisher.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

function publisher() {
  const requests: string[][] = []
  const acknowledged: string[] = []
  const bus = {
    publish: (records: readonly OutgoingRecord[]) => {
      requests.push(records.map(({ key }) => String(key)))
      return Promise.resolve()
    },
    logger: { warn: () => undefined },
  } as unknown as Bus
  const { enqueue } = createLingerPublisher(bus)
  const add = (key: string) =>
    enqueue({ key } as unknown as OutgoingRecord, () => void acknowledged.push(key))
  return { add, requests, acknowledged }
}

it('sends a first record at once, and all that come within 100 ms after it in one request', async () => {
  const { add, requests, acknowledged } = publisher()
  add('a')
  await jest.advanceTimersByTimeAsync(0)
  expect(requests).toEqual([['a']])
  expect(acknowledged).toEqual(['a'])
  for (const key of ['b', 'c', 'd']) {
    await jest.advanceTimersByTimeAsync(30)
    add(key)
  }
  expect(requests).toHaveLength(1)
  await jest.advanceTimersByTimeAsync(10)
  expect(requests).toEqual([['a'], ['b', 'c', 'd']])
  await jest.advanceTimersByTimeAsync(100)
  add('e')
  await jest.advanceTimersByTimeAsync(0)
  expect(requests.at(-1)).toEqual(['e'])
})
