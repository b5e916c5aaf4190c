import { jest } from '@jest/globals'
// @ts-expect-error kafkajs declares no types for its inner files.
import kafkaRequestQueue from 'kafkajs/src/network/requestQueue/index.js'
import { quietRequestQueue } from './quiet-request-queue.ts'

interface Queue {
  inflight: Map<number, { sentAt: number; requestTimeout: number; timeoutRequest: () => void }>
  scheduleRequestTimeoutCheck(): void
}
const RequestQueue = kafkaRequestQueue as new (options: object) => Queue

beforeAll(() => {
  jest.useFakeTimers()
  quietRequestQueue()
})
afterAll(() => void jest.useRealTimers())

it('ends a request of an open connection after its time limit, and forgets a connection that was closed', () => {
  let isOpen = true
  const queue = new RequestQueue({
    requestTimeout: 10_000,
    enforceRequestTimeout: true,
    isConnected: () => isOpen,
  })
  const timeoutRequest = jest.fn(() => queue.inflight.clear())
  const request = () => ({ sentAt: Date.now(), requestTimeout: 10_000, timeoutRequest })
  queue.scheduleRequestTimeoutCheck()
  queue.inflight.set(1, request())
  jest.advanceTimersByTime(9900)
  expect(timeoutRequest).not.toHaveBeenCalled()
  jest.advanceTimersByTime(2000)
  expect(timeoutRequest).toHaveBeenCalledTimes(1)
  isOpen = false
  jest.advanceTimersByTime(2000)
  queue.inflight.set(2, request())
  jest.advanceTimersByTime(30_000)
  expect(timeoutRequest).toHaveBeenCalledTimes(1)
})

it('leaves one timer, however many connections there are', () => {
  for (let count = 0; count < 20; count += 1)
    new RequestQueue({ enforceRequestTimeout: true, isConnected: () => true }).scheduleRequestTimeoutCheck()
  expect(jest.getTimerCount()).toBe(1)
})
