import { jest } from '@jest/globals'
import { fakeApi } from '../../../test/fake-api.ts'
import { importModule } from './import-module.ts'

const html = '<script type="module" src="/assets/a-1.js"></script>'
let server: ReturnType<typeof fakeApi>

beforeEach(() => {
  jest.useFakeTimers()
  sessionStorage.clear()
  server = fakeApi({ 'GET /index.html': () => ({ status: 200, body: html }) })
})
afterEach(() => {
  jest.useRealTimers()
  server.restore()
})

const missing = new TypeError('Failed to fetch dynamically imported module')

function failing(times: number) {
  let count = 0
  const load = () => (count++ < times ? Promise.reject(missing) : Promise.resolve('module'))
  let reloads = 0
  const start = () => importModule(load, () => reloads++)
  return { start, count: () => count, reloads: () => reloads }
}

it('importModule retries a failed download once', async () => {
  const part = failing(1)
  const loaded = part.start()
  await jest.runAllTimersAsync()
  expect(await loaded).toBe('module')
  expect(part.reloads()).toBe(0)
})

it('importModule reloads the page after the second failure, and rejects when the reload did not help', async () => {
  const before = failing(2)
  void before.start()
  await jest.runAllTimersAsync()
  expect(before.reloads()).toBe(1)

  const after = failing(2)
  const rejected = expect(after.start()).rejects.toBe(missing)
  await jest.runAllTimersAsync()
  await rejected
  expect(after.reloads()).toBe(0)
})

it('importModule may reload again for a release a minute later', async () => {
  void failing(2).start()
  await jest.runAllTimersAsync()
  jest.advanceTimersByTime(60_000)
  const later = failing(2)
  void later.start()
  await jest.runAllTimersAsync()
  expect(later.reloads()).toBe(1)
})

it.each(['no connection', { status: 503 }] as const)(
  'importModule rejects without a reload when the server gives no page: %p',
  async (answer) => {
    server.answers['GET /index.html'] = () => answer
    const part = failing(2)
    const rejected = expect(part.start()).rejects.toBe(missing)
    await jest.runAllTimersAsync()
    await rejected
    expect(part.reloads()).toBe(0)
  },
)

it('importModule never reloads when the reload cannot be recorded', async () => {
  const real = Storage.prototype.setItem
  Storage.prototype.setItem = () => {
    throw new DOMException('blocked', 'SecurityError')
  }
  try {
    const part = failing(2)
    const rejected = expect(part.start()).rejects.toBe(missing)
    await jest.runAllTimersAsync()
    await rejected
    expect(part.reloads()).toBe(0)
  } finally {
    Storage.prototype.setItem = real
  }
})
