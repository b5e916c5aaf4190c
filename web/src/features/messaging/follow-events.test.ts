import { jest } from '@jest/globals'
import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ServerEvent } from '@sumlock/contracts/socket'
import type { Outbox } from '@sumlock/sync/outbox'
import { fakeLive } from '@sumlock/sync/test-support/fake-live'
import { waitFor } from '@testing-library/react'
import { onSignedOut } from '../../api/request.ts'
import { store } from '../../app/store.ts'
import { page } from '../../shared/lib/page.ts'
import { sessionApi } from '../session/session-api.ts'
import type { Drafts } from './drafts.ts'
import { followEvents } from './follow-events.ts'
import { conversationsApi } from './messaging-api.ts'

const realFetch = globalThis.fetch
const realReplace = page.replace
let replaced: string[] = []
let unlockedUntil: string | null = null
let isSignedIn = true
let unlimited = false
let asked: string[] = []

/** The queries that the screens keep open: the list and the user. */
const subscriptions: { unsubscribe: () => void }[] = []
beforeEach(async () => {
  unlimited = false
  isSignedIn = true
  unlockedUntil = '2030-01-01T00:00:00.000Z'
  replaced = []
  page.replace = (address) => void replaced.push(address)
  globalThis.fetch = (url) => {
    asked.push(url as string)
    const body =
      url === '/api/conversations' ? [{ id: 'c', unlimited }] : { id: 'me', userCode: 'c', unlockedUntil }
    return Promise.resolve(
      new Response(JSON.stringify(body), {
        status: isSignedIn ? 200 : 401,
        headers: { 'content-type': 'application/json' },
      }),
    )
  }
  const fresh = { forceRefetch: true }
  const list = store.dispatch(conversationsApi.endpoints.listConversations.initiate(undefined, fresh))
  const user = store.dispatch(sessionApi.endpoints.getUser.initiate(undefined, fresh))
  subscriptions.push(list, user)
  await Promise.all([list, user])
  asked = []
})
afterEach(() => {
  for (const { unsubscribe } of subscriptions.splice(0)) unsubscribe()
  globalThis.fetch = realFetch
  page.replace = realReplace
})

function follow(initial?: Parameters<typeof fakeLive>[0]) {
  const { live, emit, set, failAttempt } = fakeLive(initial)
  let tellStored: (message: Message) => void = () => undefined
  const outbox = {
    items: [],
    subscribe: () => () => undefined,
    onStored: (listener: (message: Message) => void) => {
      tellStored = listener
      return () => undefined
    },
  } as unknown as Outbox
  const close = () => undefined
  const stop = followEvents({ live, outbox, userId: 'me', drafts: {} as Drafts, close }, store.dispatch)
  return { emit, set, failAttempt, stop, tellStored: (message: Message) => tellStored(message) }
}
const both = ['/api/conversations', '/api/user']
const message = { id: 'm', conversationId: 'c', senderId: 'me' } as Message

it('followEvents fetches list and user when premium begins or ends for either side', async () => {
  const { emit, stop } = follow()
  emit({ type: 'limits_changed', data: {} })
  await waitFor(() => expect([...asked].sort()).toEqual(both))
  stop()
})

it('followEvents fetches list and user after an own message that counted', async () => {
  const { tellStored, stop } = follow()
  tellStored(message)
  await waitFor(() => expect([...asked].sort()).toEqual(both))
  stop()
})

it('followEvents fetches list and user after an own message that another device sent', async () => {
  const { emit, stop } = follow()
  emit({ type: 'new_message', data: message })
  await waitFor(() => expect([...asked].sort()).toEqual(both))
  stop()
})

it('followEvents fetches only the list after an own message without a limit, and after a message of the other side', async () => {
  unlimited = true
  await store.dispatch(
    conversationsApi.endpoints.listConversations.initiate(undefined, {
      forceRefetch: true,
      subscribe: false,
    }),
  )
  asked = []
  const { tellStored, emit, stop } = follow()
  tellStored(message)
  await waitFor(() => expect(asked).toEqual(['/api/conversations']))
  emit({ type: 'new_message', data: { ...message, senderId: 'other' } })
  await waitFor(() => expect(asked).toEqual(['/api/conversations', '/api/conversations']))
  stop()
})

it('followEvents fetches only the list at the first connection, and nothing when someone goes online', async () => {
  const { emit, set, stop } = follow({ connected: false })
  set({ connected: true })
  await waitFor(() => expect(asked).toEqual(['/api/conversations']))
  emit({ type: 'status' } as ServerEvent)
  await new Promise((resolve) => setTimeout(resolve))
  expect(asked).toEqual(['/api/conversations'])
  stop()
})

it.each(['focus', 'online'])('followEvents fetches list and user at %s until it is stopped', async (type) => {
  const { stop } = follow()
  window.dispatchEvent(new Event(type))
  await waitFor(() => expect([...asked].sort()).toEqual(both))
  stop()
  window.dispatchEvent(new Event(type))
  await new Promise((resolve) => setTimeout(resolve))
  expect(asked).toHaveLength(2)
})

it('followEvents fetches list and user when the connection is back, because events were missed', async () => {
  const { set, stop } = follow()
  set({ connected: false })
  set({ connected: true })
  await waitFor(() => expect([...asked].sort()).toEqual(both))
  stop()
})

describe('a connection that is refused', () => {
  let timesSignedOut = 0
  let stopCounting: () => void
  beforeEach(() => {
    timesSignedOut = 0
    stopCounting = onSignedOut(() => (timesSignedOut += 1))
  })
  afterEach(() => stopCounting())

  it('replaces the page by the calculator when the session is locked', () => {
    const { set, stop } = follow()
    set({ connected: false, refusal: 'locked' })
    expect(replaced).toEqual(['/'])
    expect(timesSignedOut).toBe(0)
    stop()
  })

  it('replaces the page when the session was locked before the first state', () => {
    const { stop } = follow({ connected: false, refusal: 'locked' })
    expect(replaced).toEqual(['/'])
    stop()
  })

  it('reports the end of the session when there is none', () => {
    const { set, stop } = follow()
    set({ connected: false, refusal: 'no_session' })
    expect(timesSignedOut).toBe(1)
    expect(replaced).toEqual([])
    stop()
  })

  it('without a readable reason fetches the user, at most once in 30 s, and stays while the session is unlocked', async () => {
    const { failAttempt, stop } = follow()
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000)
    const settled = () => new Promise((resolve) => setTimeout(resolve, 0))
    failAttempt()
    await waitFor(() => expect(asked).toEqual(['/api/user']))
    await settled()
    clock.mockReturnValue(1_700_000_029_999)
    failAttempt()
    await settled()
    expect(asked).toEqual(['/api/user'])
    clock.mockReturnValue(1_700_000_030_000)
    failAttempt()
    await waitFor(() => expect(asked).toEqual(['/api/user', '/api/user']))
    await settled()
    clock.mockRestore()
    expect(replaced).toEqual([])
    expect(timesSignedOut).toBe(0)
    stop()
  })

  it('without a readable reason replaces the page when the user is locked', async () => {
    const { failAttempt, stop } = follow()
    unlockedUntil = null
    failAttempt()
    await waitFor(() => expect(replaced).toEqual(['/']))
    stop()
  })

  it('without a readable reason reports the end of the session when the user is refused', async () => {
    const { failAttempt, stop } = follow()
    isSignedIn = false
    failAttempt()
    await waitFor(() => expect(timesSignedOut).toBe(1))
    stop()
  })
})
