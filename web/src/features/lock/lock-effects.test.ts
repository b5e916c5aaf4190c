import { jest } from '@jest/globals'
import { fakeApi } from '../../../test/fake-api.ts'
import type { ApiAnswer } from '../../api/client.ts'
import type { SafeStorage } from '../device/safe-storage.ts'
import { copiesKey } from '../device/stored-copies.ts'
import { createLock, watchLock } from './lock-effects.ts'
import { onSignedOut, page, lock as pageLock, cover, openPage } from '../../../test/page.ts'

const record = 'calc.l'
const answered = (status: number): ApiAnswer =>
  status >= 200 && status < 300
    ? { data: null }
    : { error: { status, code: 'c', sentence: 's', message: 'm' } }

function storageOf(values: Map<string, string>, isBlocked = false): SafeStorage {
  return {
    get: (key) => (isBlocked ? null : (values.get(key) ?? null)),
    set: (key, value) => !isBlocked && values.set(key, value) === values,
    remove: (key) => void values.delete(key),
  }
}

/** Loads the page on a device whose storage is `values`; the server gives these answers one by one. */
function load(
  values: Map<string, string>,
  statuses: number[],
  { isBlocked = false, isKnown = true, isArmed = false, isAbsent = false } = {},
) {
  const sent: number[] = []
  const lock = createLock({
    storage: storageOf(values, isBlocked),
    ...{ location: page, cover, openChannel: () => undefined },
    secrets: { holds: () => false, flush: () => Promise.resolve(), end: () => undefined },
    isKnownDevice: () => isKnown,
    isArmed: () => isArmed,
    wasAbsent: () => isAbsent,
    send: () => {
      const status = statuses[sent.length] ?? 0
      sent.push(status)
      return Promise.resolve(answered(status))
    },
  })
  return { lock, sent }
}

beforeEach(() => jest.useFakeTimers())
afterEach(() => {
  jest.restoreAllMocks()
  jest.useRealTimers()
})

it('a lock that is recorded, and one of an earlier page once it is settled, removes the copies of the keys', async () => {
  const { lock } = load(new Map(), [200])
  localStorage.setItem(copiesKey, 'copy')
  lock.dispatch('unproven')
  expect(localStorage.getItem(copiesKey)).toBeNull()
  localStorage.setItem(copiesKey, 'copy')
  await lock.settle()
  expect(localStorage.getItem(copiesKey)).toBeNull()
})

it.each([200, 401])(
  'a pending lock is settled by the answer %i, and its record is removed',
  async (status) => {
    const values = new Map<string, string>()
    const { lock, sent } = load(values, [status])
    lock.dispatch('unproven')
    expect(values.get(record)).toBe('1')
    expect(lock.status()).toBe('sending')
    expect(await lock.settle()).toBe(true)
    expect(lock.status()).toBe('nothing-owed')
    expect(values.has(record)).toBe(false)
    expect(await lock.settle()).toBe(true)
    expect(sent).toEqual([status])
  },
)

it.each([0, 404, 423, 429, 500, 503])(
  'a pending lock is still owed after the answer %i, also at the next load',
  async (status) => {
    const values = new Map<string, string>()
    const { lock } = load(values, [status])
    lock.dispatch('unproven')
    expect(await lock.settle()).toBe(false)
    expect(lock.status()).toBe('owed')
    const next = load(values, [200])
    expect(next.lock.status()).toBe('owed')
    expect(await next.lock.settle()).toBe(true)
    expect(load(values, []).lock.status()).toBe('nothing-owed')
  },
)

it('a pending lock is sent a second time after a 403, with a new token; after a second 403 it stays owed', async () => {
  const first = load(new Map(), [403, 200])
  first.lock.dispatch('unproven')
  expect(await first.lock.settle()).toBe(true)
  expect(first.sent).toEqual([403, 200])
  const second = load(new Map(), [403, 403])
  second.lock.dispatch('unproven')
  expect(await second.lock.settle()).toBe(false)
  expect(second.sent).toEqual([403, 403])
})

it('a pending lock is retried automatically five seconds after the last attempt', async () => {
  const { lock, sent } = load(new Map(), [503, 503, 200])
  lock.dispatch('unproven')
  await lock.settle()
  await jest.advanceTimersByTimeAsync(3000)
  await lock.settle()
  await jest.advanceTimersByTimeAsync(4999)
  expect(sent).toEqual([503, 503])
  await jest.advanceTimersByTimeAsync(1)
  expect(sent).toEqual([503, 503, 200])
  expect(lock.status()).toBe('nothing-owed')
})

it('a pending lock is sent once when several parts of the page ask for it', async () => {
  const { lock, sent } = load(new Map(), [200])
  lock.dispatch('unproven')
  expect(await Promise.all([lock.settle(), lock.settle()])).toEqual([true, true])
  expect(sent).toEqual([200])
})

it('a lock that is being sent goes out again when the session may have opened after it', async () => {
  const { lock, sent } = load(new Map(), [200, 200])
  lock.dispatch('unproven')
  lock.dispatch('right')
  expect(await lock.settle()).toBe(true)
  expect(sent).toEqual([200, 200])
})

it('a flight after the answer to the previous lock sends a lock of its own, once', async () => {
  jest.spyOn(page, 'canReplace').mockReturnValue(false)
  const { lock, sent } = load(new Map(), [200, 200, 200])
  let flights = 1
  lock.subscribe(() => {
    if (lock.status() === 'nothing-owed' && (flights += 1) === 2) lock.dispatch('left')
  })
  lock.dispatch('left')
  await lock.finishClosing()
  expect(await lock.settle()).toBe(true)
  expect(sent).toEqual([200, 200])
})

it('a pending lock is assumed by every load without storage, on a device that was signed in', () => {
  expect(load(new Map(), [], { isBlocked: true }).lock.status()).toBe('owed')
  expect(load(new Map(), [], { isBlocked: true, isKnown: false }).lock.status()).toBe('nothing-owed')
})

it('a pending lock closes this page as soon as it is recorded, and notifies its listeners of each step', async () => {
  const { lock } = load(new Map(), [200])
  const seen: string[] = []
  lock.subscribe(() => seen.push(lock.status()))
  lock.dispatch('unproven')
  await lock.settle()
  expect(seen).toEqual(['sending', 'nothing-owed'])
})

it('a pending lock can be armed for the next load only, and disarmed', () => {
  const values = new Map<string, string>()
  const { lock } = load(values, [])
  lock.dispatch('arrived')
  expect(lock.status()).toBe('nothing-owed')
  expect(load(values, []).lock.status()).toBe('owed')
  lock.dispatch('said-locked')
  expect(load(values, []).lock.status()).toBe('nothing-owed')
})

it('a pending lock cannot be disarmed once it is owed', async () => {
  const values = new Map<string, string>()
  const { lock } = load(values, [0])
  lock.dispatch('unproven')
  await lock.settle()
  lock.dispatch('said-locked')
  expect(load(values, []).lock.status()).toBe('owed')
})

it('a pending lock stores one neutral name and one value, which reveal nothing', () => {
  const values = new Map<string, string>()
  load(values, []).lock.dispatch('unproven')
  expect([...values]).toEqual([['calc.l', '1']])
})

it('a pending lock is recorded by a load whose earlier page was hidden for too long', () => {
  const values = new Map<string, string>()
  expect(load(values, [], { isAbsent: true }).lock.status()).toBe('owed')
  expect(values.get(record)).toBe('1')
  expect(load(values, []).lock.status()).toBe('owed')
})

it('the pending lock of a page is sent at its start and when the network returns, and reports no end of the session', async () => {
  const server = fakeApi({ 'POST /api/lock': () => ({ status: 401 }) })
  let timesSignedOut = 0
  const stop = onSignedOut(() => (timesSignedOut += 1))
  pageLock.dispatch('lost')
  watchLock(pageLock)
  expect(pageLock.status()).toBe('sending')
  expect(await pageLock.settle()).toBe(true)
  pageLock.dispatch('lost')
  window.dispatchEvent(new Event('online'))
  expect(pageLock.status()).toBe('sending')
  expect(await pageLock.settle()).toBe(true)
  expect(server.keptAlive).toEqual(['POST /api/lock', 'POST /api/lock'])
  expect(timesSignedOut).toBe(0)
  stop()
  server.restore()
})

it('the pending lock of a page whose tab was hidden for too long is owed, and the time is forgotten', () => {
  sessionStorage.setItem('calc.a', String(Date.now() - 60_000))
  const nextPage = openPage()
  expect(nextPage.lock.status()).toBe('owed')
  expect(sessionStorage.getItem('calc.a')).toBeNull()
  localStorage.clear()
})

it('a record that the arrival of this very page wrote is not owed yet, but counts for the next page', async () => {
  const values = new Map([[record, '1']])
  const { lock, sent } = load(values, [200], { isArmed: true })
  expect(lock.status()).toBe('nothing-owed')
  expect(await lock.settle()).toBe(true)
  expect(sent).toEqual([])
  expect(load(values, [200]).lock.status()).toBe('owed')
})
