import { jest } from '@jest/globals'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { createOutbox } from '@sumlock/sync/outbox'
import { systemClock } from '@sumlock/sync/system-clock'
import { createVanishWatch } from '@sumlock/sync/vanishing'
import { waitFor } from '../../../../test/render.tsx'
import { fakeApi, refusal } from '../../../../test/fake-api.ts'
import type { Answer } from '../../../../test/fake-api.ts'
import { messageAt } from '../../../../test/fake-messaging.tsx'
import { client } from '../../../../test/page.ts'
import { coveredClass } from '../../device/is-covered.ts'
import { createViewedMessage } from '../viewed-message.ts'
import { createOpenings } from './openings.ts'
import type { Openings } from './openings.ts'

const received = messageAt(1, {
  messageType: 'image',
  mediaUrl: '/api/objects/x',
  isOnce: true,
  content: 'c',
})
const url = '/api/messages/m1/open'
let server: ReturnType<typeof fakeApi>
let answer: () => Answer
let answerOfEnd: () => Answer
let viewed: ReturnType<typeof createViewedMessage>
let once: Openings
let vanishing: ReturnType<typeof createVanishWatch>
let replaced: Message[]
const opened = (): Answer => ({
  status: 200,
  body: { ...received, isOpened: true, version: 7, vanishAt: new Date(Date.now() + 600_000).toISOString() },
})
const calls = () => server.asked.filter((call) => call.includes('/open'))
const locks = Object.getOwnPropertyDescriptor(navigator, 'locks')

beforeEach(() => {
  answer = opened
  answerOfEnd = () => ({ status: 200, body: { ok: true } })
  replaced = []
  server = fakeApi({
    [`POST ${url}`]: () => answer(),
    [`DELETE ${url}`]: () => answerOfEnd(),
  })
  viewed = createViewedMessage()
  const outbox = createOutbox({
    api: { sendMessage: () => new Promise(() => undefined) },
    clock: systemClock,
  })
  vanishing = createVanishWatch({ ...systemClock, nowMs: client.nowMs }, outbox)
  const loss = { isLasting: false, subscribe: () => () => undefined }
  const replace = (message: Message) => replaced.push(message)
  once = createOpenings({ client, viewed, vanishing, loss, replace })
})
afterEach(async () => {
  once.end()
  await once.finish(5000)
  vanishing.close()
  server.restore()
  document.documentElement.classList.remove(coveredClass)
  if (locks) Object.defineProperty(navigator, 'locks', locks)
  else Reflect.deleteProperty(navigator, 'locks')
  jest.useRealTimers()
})

async function show() {
  await once.open(received)
  once.shown('m1')
  expect(viewed.get()).toBe('m1')
  expect(once.get('m1')).toMatchObject({ phase: 'open', message: received })
}
/** The message has ended, and the server is told. */
async function expectEnd() {
  expect(viewed.get()).toBeNull()
  expect(once.get('m1')).toBeUndefined()
  await waitFor(() => expect(calls()).toEqual([`POST ${url}`, `DELETE ${url}`]))
  expect(server.keptAlive).toContain(`DELETE ${url}`)
}

it('an opened message is shown, and the chat keeps it without content', async () => {
  await show()
  expect(replaced).toEqual([{ ...received, content: '', mediaUrl: null, isOpened: true, version: 7 }])
})

const ways: [string, () => unknown][] = [
  ['its viewer closes', () => viewed.set(null)],
  ['another picture is viewed', () => viewed.set('m2')],
  ['the cover hides the page', () => document.documentElement.classList.add(coveredClass)],
  ['the page is left', () => window.dispatchEvent(new Event('pagehide'))],
  ['the session is closed', () => once.end()],
]
it.each(ways)('it ends when %s', async (_name, leave) => {
  await show()
  leave()
  await Promise.resolve()
  if (viewed.get() === 'm2') viewed.set(null)
  await expectEnd()
})

it('it ends after ten minutes by the clock of the server', async () => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask'] })
  await show()
  jest.advanceTimersByTime(599_000)
  expect(viewed.get()).toBe('m1')
  jest.advanceTimersByTime(2000)
  jest.useRealTimers()
  await expectEnd()
})

it('a device that slept over the end shows the message no longer', async () => {
  await show()
  jest.useFakeTimers({ now: Date.now() + 600_000 })
  vanishing.look()
  expect(viewed.get()).toBeNull()
  jest.useRealTimers()
  await expectEnd()
})

it('after a failed try the content is kept for ten minutes', async () => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask'] })
  answer = () => 'no connection'
  await once.open(received)
  jest.advanceTimersByTime(599_000)
  expect(once.get('m1')).toMatchObject({ phase: 'failed', kept: { message: received } })
  jest.advanceTimersByTime(2000)
  expect(once.get('m1')).toBeUndefined()
})

it('a message that could not be loaded can be viewed again, without a second call', async () => {
  await once.open(received)
  viewed.set(null)
  expect(once.get('m1')).toMatchObject({ phase: 'open', isViewed: false })
  expect(calls()).toEqual([`POST ${url}`])
  await once.open(replaced[0] as Message)
  once.shown('m1')
  expect(once.get('m1')).toMatchObject({ phase: 'open', isViewed: true, message: received })
  viewed.set(null)
  await expectEnd()
})

it.each<[string, () => Answer, object | undefined]>([
  [
    'opened elsewhere',
    () => refusal(409, 'already_opened'),
    { phase: 'gone', sentence: 'Opened on another device or in another tab' },
  ],
  ['taken back', () => refusal(404, 'message_not_found'), { phase: 'gone', sentence: 'No longer available' }],
  ['offline', () => 'no connection', { phase: 'failed', sentence: expect.stringMatching(/^No connection/) }],
  ['busy', () => refusal(503, 'unavailable', 'Try later.'), { phase: 'failed', sentence: 'Try later.' }],
  ['locked', () => refusal(423, 'locked'), undefined],
])('where the server refuses (%s), nothing is viewed', async (_name, refused, state) => {
  answer = refused
  await once.open(received)
  expect(viewed.get()).toBeNull()
  if (state) expect(once.get('m1')).toMatchObject(state)
  else expect(once.get('m1')).toBeUndefined()
})

it('a message that is known to be opened elsewhere keeps no content', async () => {
  answer = () => refusal(409, 'already_opened')
  await once.open(received)
  expect(replaced).toEqual([{ ...received, content: '', mediaUrl: null, isOpened: true }])
})

it('after a lost answer the message opens at the next try', async () => {
  answer = () => 'no connection'
  await once.open(received)
  expect(replaced).toEqual([])
  answer = opened
  await show()
})

it('a second tap does not ask again', async () => {
  await Promise.all([once.open(received), once.open(received)])
  expect(calls()).toEqual([`POST ${url}`])
})

it('a message that another tab has open is not asked for', async () => {
  Object.defineProperty(navigator, 'locks', {
    configurable: true,
    value: {
      request: (_name: string, _options: object, work: (lock: null) => unknown) =>
        Promise.resolve(work(null)),
    },
  })
  await once.open(received)
  // The other tab may show it, so this one keeps nothing of it.
  expect(once.get('m1')).toEqual({ phase: 'failed', sentence: 'Open in another tab.' })
  expect(calls()).toEqual([])
})

it('until the server knows of the end, the call is repeated, and no other tab opens the message', async () => {
  const held = new Set<string>()
  Object.defineProperty(navigator, 'locks', {
    configurable: true,
    value: {
      async request(name: string, _options: object, work: (lock: object) => Promise<void>) {
        held.add(name)
        await work({})
        held.delete(name)
      },
    },
  })
  await show()
  const lost = Promise.withResolvers<undefined>()
  answerOfEnd = () => {
    lost.resolve(undefined)
    return 'no connection'
  }
  viewed.set(null)
  await lost.promise
  answerOfEnd = () => ({ status: 200, body: { ok: true } })
  expect([...held]).toEqual(['calc.o m1'])
  await waitFor(() => expect(held.size).toBe(0))
  expect(calls()).toEqual([`POST ${url}`, `DELETE ${url}`, `DELETE ${url}`])
})

it('a tap whose session ends before the call opens nothing', async () => {
  const opening = once.open(received)
  once.end()
  await opening
  expect(calls()).toEqual([])
})

it('what was not shown when the page was covered waits for the person', async () => {
  await once.open(received)
  document.documentElement.classList.add(coveredClass)
  await Promise.resolve()
  expect(viewed.get()).toBeNull()
  expect(once.get('m1')).toMatchObject({ phase: 'open', isViewed: false })
  expect(calls()).toEqual([`POST ${url}`])
  document.documentElement.classList.remove(coveredClass)
  await show()
})

it('a lock also ends what was not shown', async () => {
  await once.open(received)
  await once.finish(5000)
  await expectEnd()
})

it('what opens behind the cover waits for the person', async () => {
  const release = Promise.withResolvers<undefined>()
  answer = () => release.promise.then(() => opened() as { status: number })
  const opening = once.open(received)
  document.documentElement.classList.add(coveredClass)
  release.resolve(undefined)
  await opening
  expect(viewed.get()).toBeNull()
  expect(once.get('m1')).toMatchObject({ phase: 'open', isViewed: false })
})

it('what opens after the session has ended is given back', async () => {
  const release = Promise.withResolvers<undefined>()
  answer = () => release.promise.then(() => opened() as { status: number })
  const opening = once.open(received)
  await waitFor(() => expect(calls()).toEqual([`POST ${url}`]))
  once.end()
  release.resolve(undefined)
  await opening
  await expectEnd()
})
