import { jest } from '@jest/globals'
import type { Consumer } from 'kafkajs'
import { fetchWaitMs, patientFetchWaitMs, watchFetches } from './fetch-health.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => {
  watching?.stop()
  jest.useRealTimers()
})

let watching: ReturnType<typeof watchFetches> | undefined

function watchedConsumer(waitMs: number) {
  const listeners = new Map<string, () => void>()
  const consumer = {
    events: { FETCH: 'fetch', FETCH_START: 'start', CRASH: 'crash' },
    on: (event: string, listener: () => void) => listeners.set(event, listener),
  }
  watching = watchFetches(consumer as unknown as Consumer, waitMs)
  const reported: boolean[] = []
  watching.onHealth((healthy) => void reported.push(healthy))
  return { reported, fetched: () => listeners.get('fetch')?.() }
}

it.each([fetchWaitMs, patientFetchWaitMs])(
  'takes a consumer whose fetches wait %i ms for healthy as long as each is answered',
  (waitMs) => {
    const { reported, fetched } = watchedConsumer(waitMs)
    jest.advanceTimersByTime(1)
    for (let count = 0; count < 5; count += 1) {
      fetched()
      jest.advanceTimersByTime(waitMs)
    }
    expect(reported).toEqual([true])
    jest.advanceTimersByTime(2500)
    expect(reported).toEqual([true, false])
    fetched()
    expect(reported).toEqual([true, false, true])
  },
)
