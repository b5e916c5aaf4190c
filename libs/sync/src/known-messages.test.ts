import type { Message } from '@sumlock/contracts/messaging-routes'
import { createKnownMessages, emptyConversation } from './known-messages.ts'
import { applyRead, mergeFirstPage, mergeHints } from './message-list.ts'
import { isStored } from './shown-conversation.ts'
import { variable } from './test-support/variable.ts'

const message = (seq: number, senderId = 'ann'): Message => ({
  id: `m${seq}`,
  seq,
  senderId,
  conversationId: 'c',
  content: `text ${seq}`,
  messageType: 'text',
  mediaUrl: null,
  isRead: false,
  createdAt: '2026-11-20T00:00:00.000Z',
  clientMessageId: `k${seq}`,
})
const loaded = mergeFirstPage(emptyConversation, [message(1), message(2), message(3)], 50)

describe('the known messages of a conversation', () => {
  it('report each change, and count new messages by their source', () => {
    let changes = 0
    const known = createKnownMessages(variable(emptyConversation), () => (changes += 1))
    expect(known.state.loaded).toBe(false)
    known.update(known.state, 'receivedByFetch')
    expect(changes).toBe(0)
    known.update(loaded, 'receivedByFetch')
    known.update(mergeHints(known.state, [message(4)]), 'receivedBySocket')
    known.update(applyRead(known.state, 'bob', 4))
    expect(changes).toBe(3)
    expect(known.stats).toEqual({ receivedBySocket: 1, receivedByFetch: 3, receivedByAnswer: 0, fetches: 0 })
  })

  it('contain an own message as stored, but not one of the other person under the same id', () => {
    const messages = [message(1, 'ann'), message(2, 'bob')]
    const isStoredByAnn = (clientMessageId: string) =>
      isStored(messages, { senderId: 'ann', clientMessageId })
    expect(isStoredByAnn('k1')).toBe(true)
    expect(isStoredByAnn('k2')).toBe(false)
    expect(isStoredByAnn('k3')).toBe(false)
  })

  it('write nothing into their cell once they are closed', () => {
    const cell = variable(emptyConversation)
    const known = createKnownMessages(cell, () => undefined)
    known.close()
    known.update(loaded)
    expect(cell.get()).toBe(emptyConversation)
  })
})
