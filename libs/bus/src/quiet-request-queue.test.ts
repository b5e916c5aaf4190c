import { jest } from '@jest/globals'
// @ts-expect-error kafkajs declares no types for its inner files.
import kafkaRequestQueue from 'kafkajs/src/network/requestQueue/index.js'
import { quietRequestQueue } from './quiet-request-queue.ts'

interface Queue {
  pending: unknown[]
  scheduleCheckPendingRequests(): void
}
const RequestQueue = kafkaRequestQueue as new (options: object) => Queue

beforeAll(() => {
  jest.useFakeTimers()
  quietRequestQueue()
})
afterAll(() => void jest.useRealTimers())

it('arms a timer of kafkajs only while requests are pending', () => {
  const queue = new RequestQueue({ isConnected: () => true })
  queue.scheduleCheckPendingRequests()
  expect(jest.getTimerCount()).toBe(0)
  queue.pending.push({})
  queue.scheduleCheckPendingRequests()
  expect(jest.getTimerCount()).toBe(1)
})
