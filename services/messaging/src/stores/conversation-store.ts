import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection, mongo } from 'mongoose'
import { freshMember, otherOf, pairOf } from '../domain/conversation.ts'
import type { ConversationRecord, ListCursor, MemberState } from '../domain/conversation.ts'
import type { StoredMessage } from '../domain/message.ts'
import { changedFor, changedForBoth, createConversationChanges } from './conversation-changes.ts'
import { createConversationClearing } from './conversation-clearing.ts'

const memberState = new Schema(
  {
    lastReadSeq: Number,
    clearedBeforeSeq: Number,
    isDeleted: Boolean,
    resetAt: Date,
    isMuted: Boolean,
    isRequest: Boolean,
    changedAt: Date,
  },
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
    emptiedUpTo: Number,
    lastMessageAt: { type: Date, default: null },
    changedAt: Date,
    changedForBothAt: Date,
    lastSeq: { type: Number, required: true },
    lastMessage: { type: Object, default: null },
  },
  { collection: 'conversations', versionKey: false },
)

/** A conversation that a member leaves for good, after its last message. */
export interface LeftConversation {
  conversationId: string
  standIn: string
  lastSeq: number
}

export type ConversationStore = ReturnType<typeof createConversationStore>

/** Conversations: their two members, the state of each member, and the key by which lists are sorted. */
export function createConversationStore(connection: Connection) {
  const model = connection.model('Conversation', schema)
  const collection = model.collection as unknown as mongo.Collection<ConversationRecord>
  const lean = { lean: true } as const
  return {
    ...createConversationChanges(collection),
    ...createConversationClearing(collection),

    byId: (id: string) =>
      model.findById(id, null, lean).exec() as unknown as Promise<ConversationRecord | null>,
    byPair: (pair: string) =>
      model.findOne({ pair }, null, lean).exec() as unknown as Promise<ConversationRecord | null>,
    byIds: (ids: readonly string[]) =>
      model.find({ _id: trusted({ $in: [...ids] }) }, null, lean).exec() as unknown as Promise<
        ConversationRecord[]
      >,
    idsOfMember: async (userId: string, count: number): Promise<string[]> =>
      (await model.find({ memberIds: userId }, { _id: 1 }, lean).limit(count).exec()).map(({ _id }) =>
        String(_id),
      ),

    /** A page of the conversations of a person, latest first; only of these pairs, if any are given. */
    page: (
      userId: string,
      { before, pairs }: { before?: ListCursor | undefined; pairs?: readonly string[] | undefined },
      limit: number,
    ) => {
      const rest = before && [
        { lastMessageAt: { $lt: before.activeAt } },
        { lastMessageAt: before.activeAt, _id: { $lt: before.id } },
        // Started by the last release, and still without a message.
        { lastMessageAt: null },
      ]
      return model.collection
        .find({
          memberIds: userId,
          ...(pairs && { pair: { $in: [...pairs] } }),
          ...(rest && { $or: rest as object[] }),
        })
        .sort({ lastMessageAt: -1, _id: -1 })
        .limit(limit)
        .toArray() as unknown as Promise<ConversationRecord[]>
    },

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

    setMuted: async (id: string, userId: string, isMuted: boolean, session: ClientSession) => {
      const path = `members.${userId}.isMuted`
      const update = isMuted ? { $set: { [path]: true } } : { $unset: { [path]: '' } }
      await model.updateOne({ _id: id }, { ...update, ...changedFor(userId) }, { session })
    },

    /** Turns a request into a conversation, and lists it also if it was deleted. */
    accept: async (id: string, userId: string, session?: ClientSession) => {
      const own = `members.${userId}`
      const $unset = { [`${own}.isRequest`]: '', [`${own}.isDeleted`]: '' }
      await model.updateOne({ _id: id }, { $unset, ...changedFor(userId) }, session && { session })
    },

    /**
     * Gives conversations other ids in place of a member's, and forgets what the last release copied of a message. The other
     * members have nothing left to read. Resolves with their ids; those of conversations that were written before, too.
     */
    replaceMember: async (memberId: string, left: readonly LeftConversation[]): Promise<string[]> => {
      const filter = { _id: { $in: left.map(({ conversationId }) => conversationId) } }
      const found = new Map((await collection.find(filter).toArray()).map((record) => [record._id, record]))
      const partnerIds: string[] = []
      const updates = left.flatMap(({ conversationId: _id, standIn, lastSeq }) => {
        const record = found.get(_id)
        if (!record) return []
        const memberIds = record.memberIds.map((one) => (one === memberId ? standIn : one))
        const partnerId = otherOf(memberIds, standIn)
        partnerIds.push(partnerId)
        const { lastHidden: _copied, ...state }: MemberState & { lastHidden?: unknown } =
          record.members[memberId] ?? freshMember
        const update = {
          $set: {
            memberIds,
            pair: pairOf(standIn, partnerId),
            [`members.${standIn}`]: state,
            lastMessage: null,
          },
          $max: { [`members.${partnerId}.lastReadSeq`]: lastSeq },
          $unset: { [`members.${memberId}`]: '' },
          ...changedForBoth,
        }
        return { updateOne: { filter: { _id, memberIds: memberId }, update } }
      })
      if (updates.length > 0) await collection.bulkWrite(updates as never, { ordered: false })
      return partnerIds
    },

    insert: async (record: ConversationRecord, session: ClientSession) => {
      await model.collection.insertOne(record as never, { session })
    },

    /** Moves a reader's watermark forward; false when it was not behind `seq`, or the conversation is not accepted yet. */
    moveRead: async (id: string, userId: string, seq: number) => {
      const own = `members.${userId}`
      const filter = {
        _id: id,
        [`${own}.lastReadSeq`]: { $lt: seq },
        // Its sender learns only after the conversation is accepted that it was seen.
        [`${own}.isRequest`]: { $ne: true },
      }
      const update = { $set: { [`${own}.lastReadSeq`]: seq }, ...changedForBoth }
      return (await model.collection.updateOne(filter as never, update)).modifiedCount === 1
    },

    /**
     * Moves the conversations of these messages up in the lists. Needs neither majority nor a retry, because a list reads the
     * messages themselves. MongoDB does not retry a command of many updates, so it writes no session record.
     */
    moveUp: async (records: readonly StoredMessage[]) => {
      const updates = [...Map.groupBy(records, ({ conversationId }) => conversationId)].map(([_id, own]) => {
        const shown = own.filter(({ isHidden }) => !isHidden).map(({ seq }) => seq)
        const lastMessageAt = new Date(Math.max(...own.map(({ createdAt }) => createdAt.getTime())))
        // The last release shows no copy of a message rather than an old one, and finds what is unread by `lastSeq`.
        const forLastRelease = shown.length > 0 && { lastSeq: Math.max(...shown) }
        const sortKey = { $max: { lastMessageAt, ...forLastRelease }, $set: { lastMessage: null } }
        const update = { ...sortKey, ...changedForBoth }
        return { updateMany: { filter: { _id: _id as never }, update } }
      })
      if (updates.length > 0)
        await model.collection.bulkWrite(updates, { ordered: false, writeConcern: { w: 1, journal: false } })
    },
  }
}
