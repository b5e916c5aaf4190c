import { randomUUID } from 'node:crypto'
import type { mongo } from 'mongoose'
import type { MessageName } from '../domain/media.ts'
import { keysBetween, lastPossibleSeq, messageKey } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import { emptying } from './emptying.ts'

/** Selects the next messages of a conversation in the order of their seq. */
interface NextMessages {
  conversationId: string
  /** Only messages with a higher seq are selected. */
  after: number
  upTo?: number
  atMost: number
}

const durable = { writeConcern: { w: 'majority' } } as const

type NextMessage = Pick<MessageRecord, '_id' | 'seq' | 'memberIds' | 'mediaUrl' | 'isOnce' | 'isVanished'> &
  MessageName

/** The messages belong to one conversation, in which `standIn` replaces the id of the erased member. */
export interface MessagesToErase {
  standIn: string
  messages: readonly NextMessage[]
}

const withoutRecipient = ($set: Pick<MessageRecord, 'memberIds'>) => ({
  $set,
  $unset: { 'reactions.recipient': '' as const, 'own.recipient': '' as const, 'open.by': '' as const },
})

export function createMessageErasure(collection: mongo.Collection<MessageRecord>) {
  const next = ({
    conversationId,
    after,
    upTo = lastPossibleSeq,
    atMost,
  }: NextMessages): Promise<NextMessage[]> =>
    collection
      .find(keysBetween(conversationId, after, upTo + 1), {
        projection: {
          ...{ seq: 1, conversationId: 1, senderId: 1, clientMessageId: 1 },
          ...{ memberIds: 1, mediaUrl: 1, isOnce: 1, isVanished: 1 },
        },
      })
      .sort({ _id: 1 })
      .limit(atMost)
      .toArray()

  return {
    /**
     * Empties the messages of a member and replaces the member's id in all messages. The rows keep their `seq` and nothing
     * that identifies the member.
     */
    async eraseMember(memberId: string, read: readonly MessagesToErase[]): Promise<void> {
      const updates = read.flatMap(({ standIn, messages }) =>
        messages
          .filter(({ senderId, memberIds }) => senderId === memberId || memberIds.includes(memberId))
          .map(({ _id, senderId, memberIds }) => {
            const members = { memberIds: memberIds.map((id) => (id === memberId ? standIn : id)) }
            const ids = { senderId: randomUUID(), clientMessageId: randomUUID() }
            const update =
              senderId === memberId ? emptying({ ...members, ...ids }) : withoutRecipient(members)
            return { updateOne: { filter: { _id }, update } }
          }),
      )
      if (updates.length > 0) await collection.bulkWrite(updates, { ordered: false, ...durable })
    },

    /** Returns the next messages of a conversation with the addresses of their media. */
    next,

    /**
     * Empties messages but keeps their rows, because `seq` continues from the newest row. Neither member can see these
     * messages, so they are no longer published.
     */
    async empty(conversationId: string, from: number, upTo: number): Promise<void> {
      await collection.updateMany(
        {
          _id: { $gte: messageKey(conversationId, from), $lte: messageKey(conversationId, upTo) },
          $or: [{ content: { $ne: '' } }, { mediaUrl: { $ne: null } }, { isOnce: true }],
        },
        emptying({}, 'unpublished'),
      )
    },
  }
}
