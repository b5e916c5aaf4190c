import { randomUUID } from 'node:crypto'
import type { Connection } from 'mongoose'

const insertedAtOnce = 5000

export interface Filling {
  id: string
  memberIds: readonly [string, string]
  count: number
  /** Who has sent a message; both in turn unless given. */
  senderOf?: (seq: number) => string
}

/** Fills an empty conversation as messaging stores messages, with all the counts, one message a second until now. */
export async function fillConversation(
  database: Connection,
  { id, memberIds, count, senderOf = (seq) => memberIds[(seq + 1) % 2] as string }: Filling,
): Promise<void> {
  const messages = database.collection<{ _id: string }>('messages')
  const startedMs = Date.now() - count * 1000
  const counts: [number, number] = [0, 0]
  for (let from = 1; from <= count; from += insertedAtOnce) {
    const batch = Array.from({ length: Math.min(insertedAtOnce, count + 1 - from) }, (_, at) => {
      const seq = from + at
      const senderId = senderOf(seq)
      counts[senderId === memberIds[0] ? 0 : 1] += 1
      return {
        _id: `${id}:${String(seq).padStart(10, '0')}`,
        messageId: randomUUID(),
        conversationId: id,
        senderId,
        memberIds: [...memberIds],
        seq,
        clientMessageId: randomUUID(),
        content: `${seq} `.padEnd(200, 'x'),
        messageType: 'text',
        mediaUrl: null,
        createdAt: new Date(startedMs + seq * 1000),
        counts: [...counts],
      }
    })
    await messages.insertMany(batch, { ordered: false, writeConcern: { w: 'majority' } })
  }
}

/** A conversation that its members have begun, as messaging stores it. */
export const conversationOf = (
  memberIds: readonly [string, string],
  { id = randomUUID(), at = new Date() }: { id?: string; at?: Date } = {},
) => ({
  _id: id,
  pair: [...memberIds].sort().join(':'),
  memberIds: [...memberIds],
  members: Object.fromEntries(
    memberIds.map((memberId) => [memberId, { lastReadSeq: 0, clearedBeforeSeq: 0 }]),
  ),
  createdAt: at,
  lastMessageAt: at,
  lastSeq: 0,
  lastMessage: null,
})
