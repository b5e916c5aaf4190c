import { jest } from '@jest/globals'
import type { Consumer } from 'kafkajs'
import { fetchWaitMs, watchFetches } from './fetch-health.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => {
  watching?.stop()
  jest.useRealTimers()
})

let watching: ReturnType<typeof watchFetches> | undefined

function watchedConsumer() {
  const listeners = new Map<string, () => void>()
  const consumer = {
    events: { FETCH: 'fetch', FETCH_START: 'start', CRASH: 'crash' },
    on: (event: string, listener: () => void) => listeners.set(event, listener),
  }
  watching = watchFetches(consumer as unknown as Consumer)
  const reported: boolean[] = []
  watching.onHealth((healthy) => void reported.push(healthy))
  return { reported, fetched: () => listeners.get('fetch')?.() }
}

it('takes a consumer for healthy as long as each of its fetches is answered', () => {
  const { reported, fetched } = watchedConsumer()
  jest.advanceTimersByTime(1)
  for (let count = 0; count < 5; count += 1) {
    fetched()
    jest.advanceTimersByTime(fetchWaitMs)
  }
  expect(reported).toEqual([true])
  jest.advanceTimersByTime(2500)
  expect(reported).toEqual([true, false])
  fetched()
  expect(reported).toEqual([true, false, true])
})
