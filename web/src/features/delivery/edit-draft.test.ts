import { jest } from '@jest/globals'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { emptyConversation } from '@sumlock/sync/known-messages'
import { createOutbox } from '@sumlock/sync/outbox'
import { FakeServer } from '@sumlock/sync/test-support/fake-server'
import { systemClock } from '@sumlock/sync/system-clock'
import { messageAt } from '../../../test/fake-messaging.tsx'
import { openDrafts } from './drafts.ts'
import { editDraft, keepEdit, keptEdit } from './edit-draft.ts'
import { openUnsentStore } from './unsent-store.ts'
import { watchVanishing } from './watch-vanishing.ts'

const vanishMs = 30_000
const edited = { conversationId: 'c', name: { by: 'me', id: 'client-5' } }

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** Opens pages that share what is kept on the device. */
async function setUp() {
  const store = await openUnsentStore(undefined)
  const openPage = async () => {
    const drafts = await openDrafts(store)
    const outbox = createOutbox({ api: new FakeServer().apiOf('me'), clock: systemClock })
    let messages: readonly Message[] = []
    const views = new Map([['c', { getState: () => ({ ...emptyConversation, messages }) }]])
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
    return { drafts, know, leave, kept: () => keptEdit(drafts, edited) }
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
