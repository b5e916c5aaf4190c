import { jest } from '@jest/globals'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { emptyConversation } from '@sumlock/sync/known-messages'
import { createOutbox } from '@sumlock/sync/outbox'
import { FakeServer } from '@sumlock/sync/test-support/fake-server'
import { systemClock } from '@sumlock/sync/system-clock'
import { messageAt } from '../../../test/fake-messaging.tsx'
import { openDrafts } from './drafts.ts'
import { editDraft, forgetEdit, keepEdit, keptEdit } from './edit-draft.ts'
import { openUnsentStore } from './unsent-store.ts'
import { watchVanishing } from './watch-vanishing.ts'

const vanishMs = 30_000
const edited = { conversationId: 'c', name: { by: 'me', id: 'client-5' } }

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** Opens pages that share what is kept on the device. */
async function setUp() {
  const store = await openUnsentStore(undefined)
  const openPage = async ({ hasChat = true } = {}) => {
    const drafts = await openDrafts(store)
    const server = new FakeServer()
    server.nowMs = () => Date.now()
    const outbox = createOutbox({ api: server.apiOf('me'), clock: systemClock })
    let messages: readonly Message[] = []
    const view = { getState: () => ({ ...emptyConversation, messages }) }
    const views = new Map(hasChat ? [['c', view]] : [])
    const vanishing = watchVanishing(Date.now, { outbox, drafts, views, userId: 'me' })
    const know = (change: Partial<Message>) => {
      const createdAt = new Date().toISOString()
      messages = [messageAt(5, { ...{ senderId: 'me', createdAt, vanishMs }, ...change })]
      vanishing.look()
    }
    const leave = () => {
      vanishing.close()
      outbox.close()
      return drafts.settled()
    }
    return { server, drafts, outbox, vanishing, know, leave, kept: () => keptEdit(drafts, edited) }
  }
  return { openPage, stored: async () => (await store.read()).drafts }
}

it('an edit that was begun while its message waited ends with it, on a later page that never opens the chat', async () => {
  const { openPage, stored } = await setUp()
  const first = await openPage()
  keepEdit(first.drafts, edited, 'half')
  first.know({})
  let changes = 0
  first.drafts.subscribe(() => (changes += 1))
  keepEdit(first.drafts, edited, 'half,\nto 1@2 edit')
  expect(changes).toBe(1)
  await first.leave()
  await jest.advanceTimersByTimeAsync(vanishMs - 1)
  const later = await openPage()
  expect(later.kept()).toBe('half,\nto 1@2 edit')
  await jest.advanceTimersByTimeAsync(1)
  expect([...later.drafts.names()]).toEqual([])
  await later.drafts.settled()
  expect(await stored()).toEqual({})
})

it('an edit of which a page of an earlier release kept no end learns it, and ends', async () => {
  const { openPage } = await setUp()
  const { drafts, know, kept } = await openPage()
  drafts.set(editDraft('c'), 'client-5 half an edit')
  await jest.advanceTimersByTimeAsync(vanishMs)
  expect(kept()).toBe('half an edit')
  know({})
  await jest.advanceTimersByTimeAsync(vanishMs)
  expect(kept()).toBeUndefined()
})

it('an edit whose message came too late to vanish is forgotten at once', async () => {
  const { openPage } = await setUp()
  const { drafts, know, kept } = await openPage()
  know({})
  await jest.advanceTimersByTimeAsync(vanishMs)
  keepEdit(drafts, edited, 'late')
  expect(kept()).toBeUndefined()
})

it.each([{ isUnsent: true as const }, { isVanished: true as const }])(
  'an edit goes when its message is %j, and with no other',
  async (change) => {
    const { openPage } = await setUp()
    const { drafts, know, kept } = await openPage()
    keepEdit(drafts, edited, 'half an edit')
    drafts.set('c', 'client-5@1 is a draft')
    know({ ...change, clientMessageId: 'another' })
    know({ ...change, senderId: 'other' })
    know({ vanishMs: undefined })
    expect(kept()).toBe('half an edit')
    know(change)
    expect([...drafts.names()]).toEqual(['c'])
  },
)

it('a page that learns the end of a message changes nothing that another tab has written since', async () => {
  const { openPage, stored } = await setUp()
  const typing = await openPage()
  keepEdit(typing.drafts, edited, 'half')
  const idle = await openPage()
  keepEdit(typing.drafts, edited, 'half and more')
  const end = Date.now() + vanishMs
  idle.know({})
  expect(await stored()).toEqual({ 'edit c': `client-5@${end} half and more` })
  forgetEdit(typing.drafts, edited)
  idle.know({ vanishMs: 300_000 })
  expect(await stored()).toEqual({})
})

it('a page forgets no edit of a later message, which another tab has begun', async () => {
  const { openPage, stored } = await setUp()
  const typing = await openPage()
  keepEdit(typing.drafts, edited, 'half')
  typing.know({})
  await openPage({ hasChat: false })
  keepEdit(typing.drafts, { conversationId: 'c', name: { by: 'me', id: 'client-6' } }, 'stays')
  await jest.advanceTimersByTimeAsync(vanishMs)
  expect(await stored()).toEqual({ 'edit c': 'client-6 stays' })
})

it('an edit whose message is sent with its chat left learns the end, and ends', async () => {
  const { openPage } = await setUp()
  const { drafts, outbox, kept } = await openPage({ hasChat: false })
  keepEdit(drafts, edited, 'half')
  let changes = 0
  drafts.subscribe(() => (changes += 1))
  const send = async (id: string) => {
    const isStored = new Promise((resolve) => outbox.onStored(resolve))
    outbox.add('c', { content: 'x', messageType: 'text', vanishMs }, id)
    await isStored
  }
  await send('client-4')
  expect(changes).toBe(0)
  await send('client-5')
  await jest.advanceTimersByTimeAsync(vanishMs - 1000)
  expect(kept()).toBe('half')
  await jest.advanceTimersByTimeAsync(vanishMs)
  expect(kept()).toBeUndefined()
})

it('an edit goes at once when the server says that its message was stored before 1970', async () => {
  const { openPage } = await setUp()
  const { server, drafts, outbox } = await openPage({ hasChat: false })
  server.nowMs = () => -2 * vanishMs
  keepEdit(drafts, edited, 'half')
  const isStored = new Promise((resolve) => outbox.onStored(resolve))
  outbox.add('c', { content: 'x', messageType: 'text', vanishMs }, 'client-5')
  await isStored
  expect([...drafts.names()]).toEqual([])
})

it.each([{ createdAt: 'no time' }, { createdAt: new Date(0).toISOString(), vanishMs: 0.5 as never }])(
  'an end that cannot be read stops no other and loses no edit: %j',
  async (change) => {
    const { openPage } = await setUp()
    const { drafts, vanishing, know, kept } = await openPage()
    keepEdit(drafts, edited, 'half')
    know(change)
    expect(kept()).toBe('half')
    let changes = 0
    let looks = 0
    drafts.subscribe(() => (changes += 1))
    vanishing.add((nowMs) => {
      looks += 1
      return nowMs + 1000
    })
    await jest.advanceTimersByTimeAsync(10_000)
    expect(looks).toBeGreaterThan(9)
    expect(changes).toBe(0)
  },
)

it('neither a draft nor the focus of a box looks at messages', async () => {
  const { openPage } = await setUp()
  const { drafts, vanishing } = await openPage()
  const look = jest.fn(() => Infinity)
  vanishing.add(look)
  look.mockClear()
  drafts.set('c', 'a draft')
  const box = document.body.appendChild(document.createElement('input'))
  box.focus()
  expect(document.activeElement).toBe(box)
  expect(look).not.toHaveBeenCalled()
  window.dispatchEvent(new Event('focus'))
  expect(look).toHaveBeenCalledTimes(1)
  box.remove()
})
