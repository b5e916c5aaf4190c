import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import { freshMember, otherOf, pairOf } from '../domain/conversation.ts'
import type { ConversationRecord, MemberState } from '../domain/conversation.ts'
import type { MessageRecord } from '../domain/message.ts'

const lastHidden = new Schema(
  { content: String, messageType: String, seq: Number, createdAt: Date },
  { _id: false },
)
const memberState = new Schema(
  {
    lastReadSeq: Number,
    clearedBeforeSeq: Number,
    isDeleted: Boolean,
    resetAt: Date,
    isMuted: Boolean,
    isRequest: Boolean,
    lastHidden,
  },
  { _id: false },
)
const lastMessage = new Schema(
  { content: String, messageType: String, senderId: String, seq: Number },
  { _id: false },
)

const schema = new Schema(
  {
    _id: String,
    pair: { type: String, required: true },
    memberIds: { type: [String], required: true },
    members: { type: Map, of: memberState, required: true },
    createdAt: { type: Date, required: true },
    isEmptyingDue: Boolean,
    lastSeq: { type: Number, required: true },
    lastMessage: { type: lastMessage, default: null },
    lastMessageAt: { type: Date, default: null },
  },
  { collection: 'conversations', versionKey: false },
)

export type ConversationStore = ReturnType<typeof createConversationStore>

/** Conversations: their two members, the state of each member, and a fold of the newest message. */
export function createConversationStore(connection: Connection) {
  const model = connection.model('Conversation', schema)
  const lean = { lean: true } as const
  return {
    byId: (id: string) =>
      model.findById(id, null, lean).exec() as unknown as Promise<ConversationRecord | null>,
    byPair: (pair: string) =>
      model.findOne({ pair }, null, lean).exec() as unknown as Promise<ConversationRecord | null>,
    byIds: (ids: readonly string[]) =>
      model.find({ _id: trusted({ $in: [...ids] }) }, null, lean).exec() as unknown as Promise<
        ConversationRecord[]
      >,
    idsOfMember: async (userId: string): Promise<string[]> =>
      (await model.find({ memberIds: userId }, { _id: 1 }, lean).exec()).map(({ _id }) => String(_id)),

    /** The other members of all conversations of a person. */
    partnersOf: async (userId: string): Promise<string[]> => {
      const rows = await model.find({ memberIds: userId }, { memberIds: 1 }, lean).exec()
      return rows.flatMap(({ memberIds }) => memberIds.filter((memberId) => memberId !== userId))
    },

    /** The newest conversations of each of these people, by person. */
    newestOfAll: async (
      userIds: readonly string[],
      count: number,
    ): Promise<Map<string, Pick<ConversationRecord, '_id' | 'memberIds'>[]>> => {
      const rows = await model.collection
        .aggregate<{ _id: string; newest: { _id: string; memberIds: [string, string] }[] }>([
          { $match: { memberIds: { $in: [...userIds] } } },
          { $set: { userId: '$memberIds' } },
          { $unwind: '$userId' },
          { $match: { userId: { $in: [...userIds] } } },
          {
            $group: {
              _id: '$userId',
              newest: {
                $topN: {
                  n: count,
                  sortBy: { createdAt: -1, _id: 1 },
                  output: { _id: '$_id', memberIds: '$memberIds' },
                },
              },
            },
          },
        ])
        .toArray()
      return new Map(rows.map(({ _id, newest }) => [_id, newest]))
    },

    /** Conversations of a person that the reset of `resetAt` has still to clear. */
    idsToClear: async (userId: string, resetAt: Date): Promise<string[]> => {
      const open = { memberIds: userId, [`members.${userId}.resetAt`]: trusted({ $ne: resetAt }) }
      return (await model.find(open, { _id: 1 }, lean).exec()).map(({ _id }) => String(_id))
    },

    /** Deletes the messages up to `seq` and the conversation for one member; does nothing after the first call of a reset. */
    clearForReset: async (id: string, userId: string, seq: number, resetAt: Date) => {
      const own = `members.${userId}`
      await model.updateOne(
        { _id: id, [`${own}.resetAt`]: trusted({ $ne: resetAt }) },
        {
          $max: { [`${own}.clearedBeforeSeq`]: seq },
          $set: { [`${own}.isDeleted`]: true, [`${own}.resetAt`]: resetAt, isEmptyingDue: true },
        },
      )
    },

    /** Deletes the messages up to `seq` and the conversation for one member; false when the caller is none. */
    deleteFor: async (id: string, userId: string, seq: number, session: ClientSession) => {
      const own = `members.${userId}`
      const result = await model.updateOne(
        { _id: id, memberIds: userId },
        {
          $max: { [`${own}.clearedBeforeSeq`]: seq },
          $set: { [`${own}.isDeleted`]: true, isEmptyingDue: true },
        },
        { session },
      )
      return result.matchedCount === 1
    },

    /** Conversations in which a crash may have left what both members deleted. */
    idsToEmpty: async (count: number): Promise<string[]> =>
      (await model.find({ isEmptyingDue: true }, { _id: 1 }, lean).limit(count).exec()).map(({ _id }) =>
        String(_id),
      ),
    /** Does nothing if a member has deleted messages since `members` was read. */
    markEmptied: async (id: string, members: Readonly<Record<string, MemberState>>) => {
      const unchanged = Object.entries(members).map(([userId, { clearedBeforeSeq }]) => [
        `members.${userId}.clearedBeforeSeq`,
        clearedBeforeSeq,
      ])
      await model.updateOne(
        { _id: id, ...(Object.fromEntries(unchanged) as object) },
        { $unset: { isEmptyingDue: '' } },
      )
    },

    /** Forgets the newest message in the fold when it is not after `seq`; a late fold cannot bring it back. */
    forgetLast: async ({ _id: id, memberIds }: ConversationRecord, seq: number) => {
      await model.updateOne(
        { _id: id, lastSeq: trusted({ $lte: seq }) },
        { $set: { lastSeq: seq, lastMessage: null, lastMessageAt: null } },
      )
      for (const memberId of memberIds) {
        const path = `members.${memberId}.lastHidden`
        await model.updateOne(
          { _id: id, [`${path}.seq`]: trusted({ $lte: seq }) },
          { $unset: { [path]: '' } },
        )
      }
    },

    setMuted: async (id: string, userId: string, isMuted: boolean, session: ClientSession) => {
      const path = `members.${userId}.isMuted`
      await model.updateOne({ _id: id }, isMuted ? { $set: { [path]: true } } : { $unset: { [path]: '' } }, {
        session,
      })
    },

    /** Turns a request into a conversation, and lists it also if it was deleted. */
    accept: async (id: string, userId: string, session?: ClientSession) => {
      const own = `members.${userId}`
      const $unset = { [`${own}.isRequest`]: '', [`${own}.isDeleted`]: '' }
      await model.updateOne({ _id: id }, { $unset }, session && { session })
    },

    /** Gives a conversation another id in place of a member's, and empties what the member wrote in the fold. */
    replaceMember: async (id: string, memberId: string, standIn: string) => {
      const found = await model.findOne({ _id: id, memberIds: memberId }).lean<ConversationRecord>().exec()
      if (!found) return
      const memberIds = found.memberIds.map((one) => (one === memberId ? standIn : one))
      const { lastHidden: _hidden, ...state } = found.members[memberId] ?? freshMember
      const isLast = found.lastMessage?.senderId === memberId
      await model.collection.updateOne(
        { _id: id as never, memberIds: memberId },
        {
          $set: {
            memberIds,
            pair: pairOf(standIn, otherOf(memberIds, standIn)),
            [`members.${standIn}`]: state,
            ...(isLast ? { 'lastMessage.content': '', 'lastMessage.senderId': standIn } : {}),
          },
          $unset: { [`members.${memberId}`]: '' },
        },
      )
    },

    insert: async (record: ConversationRecord, session: ClientSession) => {
      await model.collection.insertOne(record as never, { session })
    },

    /** Moves a reader's watermark forward; false when it was not behind `seq`. */
    moveRead: async (id: string, userId: string, seq: number, session: ClientSession) => {
      const path = `members.${userId}.lastReadSeq`
      const result = await model.updateOne(
        { _id: id, [path]: trusted({ $lt: seq }) },
        { $set: { [path]: seq } },
        { session },
      )
      return result.modifiedCount === 1
    },

    /** Folds in the newest messages; an older message than the known one changes nothing. */
    fold: async (newest: readonly MessageRecord[]) => {
      const updates = newest.map((record) => (record.isHidden ? foldHidden(record) : foldShown(record)))
      if (updates.length > 0)
        await model.collection.bulkWrite(
          updates.map((updateOne) => ({ updateOne: updateOne as never })),
          { ordered: false },
        )
    },
  }
}

const foldShown = ({ conversationId, seq, content, messageType, senderId, createdAt }: MessageRecord) => ({
  filter: { _id: conversationId, lastSeq: { $lt: seq } },
  update: {
    $set: {
      lastSeq: seq,
      lastMessage: { content, messageType, senderId, seq },
      lastMessageAt: createdAt,
    },
  },
})

/** A message that only its sender is shown is folded into the state of the sender, unless the sender has deleted it. */
function foldHidden({ conversationId, seq, content, messageType, senderId, createdAt }: MessageRecord) {
  const own = `members.${senderId}`
  return {
    filter: {
      _id: conversationId,
      [`${own}.clearedBeforeSeq`]: { $lt: seq },
      [`${own}.lastHidden.seq`]: { $not: { $gte: seq } },
    },
    update: { $set: { [`${own}.lastHidden`]: { content, messageType, seq, createdAt } } },
  }
}
