import type { Conversation } from '@sumlock/contracts/messaging-routes'

/** A conversation of the list: five messages, the last one received and read. */
export const conversationWith = (change: Partial<Conversation> = {}): Conversation => ({
  id: 'c',
  otherUser: { id: 'other', username: 'ben', userCode: 'ABCD-EFGH-J' },
  activeAt: change.lastMessageAt ?? change.createdAt ?? '2026-11-22T00:00:00.000Z',
  lastMessageAt: '2026-11-22T00:00:00.000Z',
  lastMessage: { content: 'no. 5', messageType: 'text', senderId: 'other', seq: 5, isRead: true },
  lastSeq: 5,
  unreadCount: 0,
  readSeq: 0,
  createdAt: '2026-11-20T00:00:00.000Z',
  canSend: true,
  unlimited: true,
  messagesRemaining: 1,
  ...change,
})
