import { rangesOf } from '@sumlock/service-kit/ranges-of'
import type { Range } from '@sumlock/service-kit/ranges-of'
import type { Connection, mongo } from 'mongoose'
import { memberIndexes, memberKey } from './domain/member.ts'
import type { MemberRecord } from './domain/member.ts'
import { lastPossibleSeq, messageKey } from './domain/message.ts'

/** Before this migration, one row contained a conversation and both members. */
interface OldConversation {
  _id: string
  memberIds: [string, string]
  members: Record<string, OldMember>
  createdAt: Date
  isEmptyingDue?: boolean
  emptiedUpTo?: number
}

interface OldMember {
  lastReadSeq: number
  clearedBeforeSeq: number
  isDeleted?: boolean
  resetAt?: Date
  isMuted?: boolean
  isRequest?: boolean
}

interface Newest {
  seq: number
  createdAt: Date
}

const freshMember: OldMember = { lastReadSeq: 0, clearedBeforeSeq: 0 }

/**
 * Writes a row for each member of each conversation. The conversations are removed last, so that a killed migration can run
 * again; it keeps the rows that exist.
 */
export async function migrateMembers(connection: Connection): Promise<void> {
  await connection.collection('members').createIndexes([...memberIndexes])
  const conversations = connection.collection('conversations')
  // The dates are taken from the database's clock, because readers of changes compare with it.
  const now = ((await connection.db?.command({ hello: 1 })) as { localTime: Date }).localTime
  for await (const _id of rangesOf(conversations)) await writeRows(connection, _id, now)

  const entitlements = connection.collection('entitlements')
  for await (const _id of rangesOf(entitlements))
    await entitlements.updateMany({ _id, blocked: { $exists: true } } as never, { $unset: { blocked: '' } })
  const messages = connection.collection('messages')
  for await (const _id of rangesOf(messages))
    await messages.updateMany(
      { _id, $or: [{ slot: { $exists: true } }, { shown: { $exists: true } }] } as never,
      {
        $unset: { slot: '', shown: '' },
      },
    )
  if (await messages.indexExists('slot')) await messages.dropIndex('slot')
  // The old jobs for emptying name conversations. New jobs follow from the marks on the new rows.
  await connection.collection('jobs').deleteMany({ kind: 'empty' })
  await conversations.drop()
}

async function writeRows(connection: Connection, _id: Range, now: Date): Promise<void> {
  const found = await connection
    .collection<OldConversation>('conversations')
    .find({ _id } as never)
    .toArray()
  const people = [...new Set(found.flatMap(({ memberIds }) => memberIds))]
  const [newest, blocked, codes] = await Promise.all([
    newestShown(connection.db as mongo.Db, found),
    blockedBy(connection, people),
    codesOf(connection, people),
  ])
  const rows = found.flatMap((conversation) =>
    conversation.memberIds.map((personId) => {
      const other = otherOf(conversation.memberIds, personId)
      return toRow(conversation, personId, {
        now,
        newest: newest.get(memberKey(personId, conversation._id)),
        isBlocked: blocked.has(`${personId} ${conversation._id}`),
        otherCode: blocked.has(`${other} ${conversation._id}`) ? codes.get(other) : undefined,
      })
    }),
  )
  const updates = rows.map(({ _id: id, ...row }) => ({
    updateOne: { filter: { _id: id as never }, update: { $setOnInsert: row }, upsert: true },
  }))
  await connection.collection('members').bulkWrite(updates, { ordered: false })
}

function toRow(
  { _id: conversationId, memberIds, members, createdAt, isEmptyingDue, emptiedUpTo }: OldConversation,
  personId: string,
  {
    now,
    newest,
    isBlocked,
    otherCode,
  }: { now: Date; newest: Newest | undefined; isBlocked: boolean; otherCode?: string | undefined },
): MemberRecord {
  const otherId = otherOf(memberIds, personId)
  const [own, other] = [members[personId] ?? freshMember, members[otherId] ?? freshMember]
  const newestSeq = newest?.seq ?? 0
  const clearedForBoth = Math.min(own.clearedBeforeSeq, other.clearedBeforeSeq)
  return {
    _id: memberKey(personId, conversationId),
    personId,
    view: 1,
    conversationId,
    otherId,
    createdAt,
    activeAt: newest?.createdAt ?? createdAt,
    changedAt: now,
    isListed: (!own.isDeleted && !own.isRequest) || newestSeq > own.clearedBeforeSeq,
    newestSeq,
    readSeq: own.lastReadSeq,
    otherReadSeq: other.lastReadSeq,
    clearedSeq: own.clearedBeforeSeq,
    ...(own.isDeleted && { isDeleted: true as const }),
    ...(own.isMuted && { isMuted: true as const }),
    ...(own.isRequest && { isRequest: true as const }),
    ...(isBlocked && { isBlocked: true as const }),
    ...(otherCode !== undefined && { otherCode }),
    ...(own.resetAt && { resetAt: own.resetAt }),
    stateChangedAt: now,
    ...((isEmptyingDue || clearedForBoth > (emptiedUpTo ?? 0)) && { isEmptyingDue: true as const }),
    ...(emptiedUpTo !== undefined && { emptiedSeq: emptiedUpTo }),
  }
}

const otherOf = (memberIds: readonly string[], personId: string) =>
  memberIds.find((id) => id !== personId) ?? personId

/** Returns the newest message that each member is shown, by the key of the member's row. */
async function newestShown(
  database: mongo.Db,
  conversations: readonly OldConversation[],
): Promise<Map<string, Newest>> {
  const seats = conversations.flatMap(({ _id, memberIds }) =>
    memberIds.map((personId) => ({
      _id: memberKey(personId, _id),
      personId,
      first: messageKey(_id, 0),
      last: messageKey(_id, lastPossibleSeq),
    })),
  )
  const inConversation = [{ $gt: ['$_id', '$$first'] }, { $lte: ['$_id', '$$last'] }]
  const isShown = { $or: [{ $ne: ['$isHidden', true] }, { $eq: ['$senderId', '$$personId'] }] }
  const rows = await database
    .aggregate<{ _id: string; newest: [Newest?] }>([
      { $documents: seats },
      {
        $lookup: {
          from: 'messages',
          let: { first: '$first', last: '$last', personId: '$personId' },
          pipeline: [
            { $match: { $expr: { $and: [...inConversation, isShown] } } },
            { $sort: { _id: -1 } },
            { $limit: 1 },
            { $project: { seq: 1, createdAt: 1 } },
          ],
          as: 'newest',
        },
      },
    ])
    .toArray()
  return new Map(rows.flatMap(({ _id, newest: [newest] }) => (newest ? [[_id, newest]] : [])))
}

/** Returns `<person> <conversation>` for each conversation that one of these people has blocked. */
async function blockedBy(connection: Connection, people: readonly string[]): Promise<Set<string>> {
  const rows = await connection
    .collection<{ _id: string; blocked?: string[] }>('entitlements')
    .find({ _id: { $in: [...people] }, blocked: { $exists: true } })
    .toArray()
  return new Set(rows.flatMap(({ _id, blocked = [] }) => blocked.map((id) => `${_id} ${id}`)))
}

async function codesOf(connection: Connection, people: readonly string[]): Promise<Map<string, string>> {
  const rows = await connection
    .collection<{ _id: string; userCode: string }>('people')
    .find({ _id: { $in: [...people] } })
    .toArray()
  return new Map(rows.map(({ _id, userCode }) => [_id, userCode]))
}
