import { jest } from '@jest/globals'
import type { Bus, OutgoingRecord } from './bus.ts'
import { hintedHeader } from './envelope.ts'
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
  const add = (key: string, headers = {}) =>
    enqueue({ key, headers } as unknown as OutgoingRecord, () => void acknowledged.push(key))
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

it('lets hinted records wait for half a second, until one that is not hinted comes', async () => {
  const { add, requests } = publisher()
  const hinted = { [hintedHeader]: '1' }
  add('a', hinted)
  await jest.advanceTimersByTimeAsync(0)
  expect(requests).toEqual([['a']])
  add('b', hinted)
  await jest.advanceTimersByTimeAsync(499)
  expect(requests).toHaveLength(1)
  await jest.advanceTimersByTimeAsync(1)
  expect(requests.at(-1)).toEqual(['b'])
  add('c', hinted)
  await jest.advanceTimersByTimeAsync(50)
  add('d')
  await jest.advanceTimersByTimeAsync(49)
  expect(requests).toHaveLength(2)
  await jest.advanceTimersByTimeAsync(1)
  expect(requests.at(-1)).toEqual(['c', 'd'])
})
