import { conversationWith } from '../../../test/conversation-with.ts'
import { messageAt } from '../../../test/fake-messaging.tsx'
import {
  conversationNamed,
  conversationOpened,
  messageChanged,
  messagesRead,
  messageStored,
  toListed,
} from './conversation-list.ts'
import type { ConversationList, ListChange } from './conversation-list.ts'
import { nextPreviewEndMs, previewsVanished } from './vanishing-previews.ts'

const listOf = (...changes: Parameters<typeof conversationWith>): ConversationList => [
  toListed(conversationWith(...changes)),
]
const row = (list: ConversationList, id = 'c') => list.find((one) => one.id === id)
/** Applies the changes to the list, and expects each to be certain unless its call says otherwise. */
function after(list: ConversationList, ...changes: ListChange[]) {
  let isCertain = true
  for (const change of changes) {
    const changed = change(list)
    list = changed.list
    isCertain &&= changed.isCertain
  }
  return { list, row: row(list), isCertain }
}
const arrives = (seq: number) => messageStored(messageAt(seq), 'me')
const isSent = (seq: number) => messageStored(messageAt(seq, { senderId: 'me' }), 'me')
const iRead = (seq: number) => messagesRead({ conversationId: 'c', readerId: 'me', seq }, 'me')
const theyRead = (seq: number) => messagesRead({ conversationId: 'c', readerId: 'other', seq }, 'me')

describe('a changed message', () => {
  const changes = (seq: number, version: number) =>
    messageChanged(
      messageAt(seq, { content: 'new', version, edit: { id: 'e', at: messageAt(seq).createdAt } }),
    )

  it('replaces the preview that shows it, and moves no row', () => {
    const [before] = listOf()
    const { row, isCertain } = after(listOf(), changes(5, 1))
    expect(row).toEqual({
      ...before,
      lastMessage: expect.objectContaining({
        content: 'new',
        seq: 5,
        isRead: true,
        edit: expect.any(Object) as unknown,
      }) as unknown,
    })
    expect(isCertain).toBe(true)
  })

  it('changes nothing if another message is the last one, or the row was fetched later', () => {
    for (const [list, change] of [
      [listOf(), changes(4, 1)],
      [listOf({ version: 1 }), changes(5, 1)],
      [listOf({ id: 'another' }), changes(5, 1)],
    ] as const)
      expect(change(list)).toEqual({ list, isCertain: true })
  })
})

describe('a preview that vanishes', () => {
  const vanishMs = 3_600_000
  const { createdAt } = messageAt(6)
  const endMs = Date.parse(createdAt) + vanishMs
  const stored = (change: Parameters<typeof messageAt>[1]) =>
    messageStored(messageAt(6, { vanishMs, ...change }), 'me')
  const vanishAt = new Date(endMs).toISOString()

  it.each([
    ['of a message of mine, by its time of storing', { senderId: 'me' }],
    ['of a message that I have read, by the time that the server has set', { isRead: true, vanishAt }],
  ])('%s', (_whose, change) => {
    const { list } = after(listOf(), stored({ content: 'secret', ...change }))
    expect(nextPreviewEndMs(list, 'me')).toBe(endMs)
    expect(after(list, previewsVanished('me', endMs - 1)).list).toBe(list)
    const emptied = after(list, previewsVanished('me', endMs)).list
    expect(row(emptied)).toMatchObject({ lastMessage: { content: '', isVanished: true }, lastSeq: 6 })
    expect(JSON.stringify(emptied)).not.toContain('secret')
    expect(nextPreviewEndMs(emptied, 'me')).toBe(Infinity)
  })

  it('waits while the message is unread, and needs a fetch once I read it', () => {
    const { list, row } = after(listOf(), stored({ content: 'secret' }))
    expect(nextPreviewEndMs(list, 'me')).toBe(Infinity)
    expect(row?.unreadCount).toBe(1)
    const read = after(list, iRead(6))
    expect(read.isCertain).toBe(false)
    expect(read.row).toMatchObject({ unreadCount: 0, lastMessage: { content: 'secret' } })
    expect(after(after(listOf(), arrives(6)).list, iRead(6)).isCertain).toBe(true)
  })

  it('counts as unread until it is read, also when it is empty by then', () => {
    const [empty] = [messageAt(6, { vanishMs, content: '', isVanished: true })]
    const fetched = listOf({ lastSeq: 7, readSeq: 5, unreadCount: 2 })
    const read = { conversationId: 'c', readerId: 'me', seq: 6 }
    expect(after(fetched, messagesRead(read, 'me', [empty])).row?.unreadCount).toBe(1)
  })
})

describe('a stored message', () => {
  it('becomes the last one of its row, and counts as unread when it was received', () => {
    const { row, isCertain } = after(listOf(), arrives(6))
    expect(row).toMatchObject({
      lastSeq: 6,
      lastMessageAt: messageAt(6).createdAt,
      lastMessage: { content: 'no. 6', messageType: 'text', senderId: 'other', seq: 6, isRead: false },
      unreadCount: 1,
    })
    expect(isCertain).toBe(true)
    expect(after(listOf(), isSent(6)).row).toMatchObject({ lastMessage: { senderId: 'me' }, unreadCount: 0 })
  })

  it('changes nothing when the list contains it', () => {
    const list = listOf()
    expect(arrives(5)(list)).toEqual({ list, isCertain: true })
    expect(arrives(5)(list).list).toBe(list)
    expect(after(list, arrives(6), arrives(6)).row?.unreadCount).toBe(1)
  })

  it('is uncertain when an earlier message or its conversation is missing', () => {
    expect(after(listOf(), arrives(7))).toMatchObject({ isCertain: false, row: { lastSeq: 7 } })
    expect(after(listOf({ id: 'another' }), arrives(1)).isCertain).toBe(false)
  })

  it('moves its conversation to the top, and no further than one with a later message', () => {
    const [own] = listOf()
    const other = toListed(conversationWith({ id: 'd', lastMessageAt: messageAt(7).createdAt }))
    const ids = (list: ConversationList) => list.map(({ id }) => id)
    const two = [other, own] as ConversationList
    expect(ids(after(two, arrives(6)).list)).toEqual(['d', 'c'])
    expect(ids(after(two, arrives(6), arrives(7), arrives(8)).list)).toEqual(['c', 'd'])
    expect(after(two, arrives(6)).list[0]).toBe(other)
  })
})

describe('what was read', () => {
  it('is no longer unread, however own messages lie between', () => {
    const arrived = after(listOf(), arrives(6), isSent(7), arrives(8), isSent(9)).list
    expect(row(arrived)?.unreadCount).toBe(2)
    expect(after(arrived, iRead(6))).toMatchObject({ row: { unreadCount: 1 }, isCertain: true })
    expect(after(arrived, iRead(8))).toMatchObject({ row: { unreadCount: 0 }, isCertain: true })
  })

  it('is uncertain when only the server can count the earlier unread messages', () => {
    const fetched = listOf({ unreadCount: 3 })
    expect(after(fetched, iRead(4))).toMatchObject({ row: { unreadCount: 3 }, isCertain: false })
    expect(after(fetched, arrives(6), iRead(4))).toMatchObject({ row: { unreadCount: 4 }, isCertain: false })
    expect(after(fetched, iRead(5))).toMatchObject({ row: { unreadCount: 0 }, isCertain: true })
    expect(after(fetched, arrives(6), iRead(5))).toMatchObject({ row: { unreadCount: 1 }, isCertain: true })
  })

  it('is counted by the messages that the page holds, hidden ones aside, until the last one is read', () => {
    const fetched = listOf({ lastSeq: 9, unreadCount: 5, readSeq: 3 })
    const texts = [4, 5, 6, 7, 8, 9].map((seq) => messageAt(seq, seq === 5 ? { content: '' } : {}))
    const readUpTo = (seq: number, held = texts) =>
      messagesRead({ conversationId: 'c', readerId: 'me', seq }, 'me', held)
    const two = after(fetched, readUpTo(6))
    expect(two).toMatchObject({ row: { unreadCount: 3, readSeq: 6 }, isCertain: true })
    expect(after(two.list, readUpTo(5))).toMatchObject({ row: { unreadCount: 3 }, isCertain: true })
    expect(after(two.list, readUpTo(8))).toMatchObject({ row: { unreadCount: 1 }, isCertain: true })
    expect(after(two.list, readUpTo(9, []))).toMatchObject({ row: { unreadCount: 0 }, isCertain: true })
    expect(after(fetched, readUpTo(6, texts.slice(1)))).toMatchObject({ isCertain: false })
    expect(after(fetched, readUpTo(8, texts.slice(0, 4)))).toMatchObject({ isCertain: false })
    const takenBack = { content: '', isUnsent: true } as const
    const changed = texts
      .with(0, messageAt(4, takenBack))
      .with(2, messageAt(6, { ...takenBack, isUnstored: true }))
    expect(after(fetched, readUpTo(6, changed))).toMatchObject({ row: { unreadCount: 4 }, isCertain: true })
  })

  it('shows at the last message when it was written by the other side of the reader', () => {
    expect(after(listOf(), isSent(6), theyRead(6)).row?.lastMessage?.isRead).toBe(true)
    expect(after(listOf(), isSent(6), theyRead(5)).row?.lastMessage?.isRead).toBe(false)
    expect(after(listOf(), isSent(6), iRead(6)).row?.lastMessage?.isRead).toBe(false)
    expect(after(listOf(), arrives(6), theyRead(6)).row).toMatchObject({
      unreadCount: 1,
      lastMessage: { isRead: false },
    })
    expect(after(listOf(), arrives(6), iRead(6)).row?.lastMessage?.isRead).toBe(true)
  })

  it('counts also for messages that a report overtakes', () => {
    expect(after(listOf(), iRead(6), arrives(6))).toMatchObject({
      row: { unreadCount: 0, lastMessage: { isRead: true } },
      isCertain: true,
    })
    expect(after(listOf(), iRead(6), arrives(6), arrives(7)).row?.unreadCount).toBe(1)
    expect(after(listOf(), theyRead(6), isSent(6)).row?.lastMessage?.isRead).toBe(true)
    expect(after(listOf(), theyRead(6), isSent(6), isSent(7)).row?.lastMessage?.isRead).toBe(false)
  })

  it('changes nothing in an unknown conversation, and nothing twice', () => {
    const list = listOf({ id: 'another' })
    expect(iRead(5)(list).list).toBe(list)
    const read = after(listOf(), arrives(6), iRead(6)).list
    expect(iRead(6)(read).list).toBe(read)
  })
})

describe('a conversation', () => {
  const opened = conversationWith({
    id: 'new',
    lastMessage: null,
    lastMessageAt: null,
    lastSeq: 0,
    createdAt: '2026-11-23T00:00:00.000Z',
  })

  it('CALL-24: that was opened is added by its time, or replaces the one with the same id', () => {
    const { list } = after(listOf(), conversationOpened(opened))
    expect(list.map(({ id }) => id)).toEqual(['new', 'c'])
    expect(row(list, 'new')).toMatchObject({ ...opened, arrived: [], fetchedSeq: 0 })
    const again = after(list, conversationOpened(conversationWith({ canSend: false }))).list
    expect(again.map(({ id }) => id)).toEqual(['new', 'c'])
    expect(row(again)?.canSend).toBe(false)
  })

  it('that was found does not replace a row with later messages', () => {
    const { list } = after(listOf(), arrives(6))
    expect(conversationOpened(conversationWith())(list).list).toBe(list)
  })

  it('that an event names is uncertain only when the list does not contain it', () => {
    expect(conversationNamed('c')(listOf()).isCertain).toBe(true)
    expect(conversationNamed('unknown')(listOf()).isCertain).toBe(false)
  })
})
