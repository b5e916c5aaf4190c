import { migratedAtOnce } from '@sumlock/service-kit/ranges-of'
import type { Connection } from 'mongoose'
import type { MessageRecord } from './domain/message.ts'

type Counted = Pick<MessageRecord, '_id' | 'conversationId' | 'senderId' | 'memberIds' | 'isHidden'>

/**
 * Stores in each message how many messages each member had sent by then, without hidden ones. Every run begins at the first
 * message, because a count needs all earlier messages.
 */
export async function migrateMessageCounts(connection: Connection): Promise<void> {
  const messages = connection.collection<Counted>('messages')
  const projection = { conversationId: 1, senderId: 1, memberIds: 1, isHidden: 1 }
  let conversationId: string | undefined
  let counts: [number, number] = [0, 0]
  for (let last = ''; ;) {
    const rows = await messages
      .find({ _id: { $gt: last } }, { projection })
      .sort({ _id: 1 })
      .limit(migratedAtOnce)
      .toArray()
    const updates = rows.map((row) => {
      // Sorted by id, the messages of one conversation follow one another, so a new conversation starts new counts.
      if (row.conversationId !== conversationId) counts = [0, 0]
      conversationId = row.conversationId
      const shownBy = (index: 0 | 1) => Number(!row.isHidden && row.senderId === row.memberIds[index])
      counts = [counts[0] + shownBy(0), counts[1] + shownBy(1)]
      return { updateOne: { filter: { _id: row._id }, update: { $set: { counts } } } }
    })
    if (updates.length > 0) await messages.bulkWrite(updates, { ordered: false })
    if (rows.length < migratedAtOnce) return
    last = rows.at(-1)?._id ?? last
  }
}
