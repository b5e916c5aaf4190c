import type { Message } from '@sumlock/contracts/messaging-routes'
import type { Outbox } from '@sumlock/sync/outbox'
import { fakeLive } from '@sumlock/sync/test-support/fake-live'
import { waitFor } from '@testing-library/react'
import { store } from '../../app/store.ts'
import { sessionApi } from '../session/session-api.ts'
import type { Drafts } from './drafts.ts'
import { followEvents } from './follow-events.ts'
import { conversationsApi } from './messaging-api.ts'

const realFetch = globalThis.fetch
let unlimited = false
let asked: string[] = []

/** What the screens have open: the list and the user. */
const subscriptions: { unsubscribe: () => void }[] = []
beforeEach(async () => {
  unlimited = false
  globalThis.fetch = (url) => {
    asked.push(url as string)
    const body = url === '/api/conversations' ? [{ id: 'c', unlimited }] : { id: 'me' }
    return Promise.resolve(
      new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } }),
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
})

function follow() {
  const { live, emit, set } = fakeLive()
  let tellStored: (message: Message) => void = () => undefined
  const outbox = {
    items: [],
    subscribe: () => () => undefined,
    onStored: (listener: (message: Message) => void) => {
      tellStored = listener
      return () => undefined
    },
  } as unknown as Outbox
  const stop = followEvents({ live, outbox, userId: 'me', drafts: {} as Drafts }, store.dispatch)
  return { emit, set, stop, tellStored: (message: Message) => tellStored(message) }
}
const both = ['/api/conversations', '/api/user']
const message = { id: 'm', conversationId: 'c', senderId: 'me' } as Message

it('fetches list and user when premium begins or ends for either side', async () => {
  const { emit, stop } = follow()
  emit({ type: 'limits_changed', data: {} })
  await waitFor(() => expect([...asked].sort()).toEqual(both))
  stop()
})

it('fetches list and user after an own message that counted', async () => {
  const { tellStored, stop } = follow()
  tellStored(message)
  await waitFor(() => expect([...asked].sort()).toEqual(both))
  stop()
})

it('fetches only the list after an own message in a conversation without a limit, and after one of the other side', async () => {
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

it('fetches list and user when the connection is back, since events were missed', async () => {
  const { set, stop } = follow()
  set({ connected: false })
  set({ connected: true })
  await waitFor(() => expect([...asked].sort()).toEqual(both))
  stop()
})
