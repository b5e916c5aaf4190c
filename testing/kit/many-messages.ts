import { randomUUID } from 'node:crypto'
import type { Connection } from 'mongoose'

const insertedAtOnce = 5000

export interface Filling {
  id: string
  memberIds: readonly [string, string]
  count: number
  /** Returns the sender of a message. By default, both members send in turn. */
  senderOf?: (seq: number) => string
}

/**
 * Fills an empty conversation with rows as messaging stores them, counts included. There is one message a second until
 * now.
 */
export const fillConversation = (database: Connection, filling: Filling): Promise<void> =>
  fillConversations(database, [filling])

export async function fillConversations(database: Connection, fillings: Iterable<Filling>): Promise<void> {
  const messages = database.collection<{ _id: string }>('messages')
  const insert = (batch: { _id: string }[]) =>
    messages.insertMany(batch, { ordered: false, writeConcern: { w: 'majority' } })
  let inserting: Promise<unknown> = Promise.resolve()
  let batch: { _id: string }[] = []
  for (const filling of fillings)
    for (const message of messagesOf(filling)) {
      batch.push(message)
      if (batch.length < insertedAtOnce) continue
      // The next rows are created while the database stores the last ones.
      await inserting
      inserting = insert(batch)
      batch = []
    }
  await inserting
  if (batch.length > 0) await insert(batch)
  await moveRows(database, fillings)
}

/** Updates both members' rows to the newest message, as sending it would. */
async function moveRows(database: Connection, fillings: Iterable<Filling>): Promise<void> {
  const updates = [...fillings].flatMap(({ id, memberIds, count }) =>
    memberIds.map((memberId) => ({
      updateOne: {
        filter: { _id: `${memberId}|1|${id}` as never },
        update: { $set: { newestSeq: count, activeAt: new Date(), isListed: true } },
      },
    })),
  )
  if (updates.length > 0) await database.collection('members').bulkWrite(updates)
}

function* messagesOf({
  id,
  memberIds,
  count,
  senderOf = (seq) => memberIds[(seq + 1) % 2] as string,
}: Filling) {
  const startedMs = Date.now() - count * 1000
  const counts: [number, number] = [0, 0]
  for (let seq = 1; seq <= count; seq += 1) {
    const senderId = senderOf(seq)
    counts[senderId === memberIds[0] ? 0 : 1] += 1
    yield {
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
  }
}

export interface BegunConversation {
  id: string
  memberIds: readonly [string, string]
}

/** Returns the rows of a new conversation as messaging stores them. */
export const memberRowsOf = (
  { id, memberIds: [one, other] }: BegunConversation,
  { at = new Date() }: { at?: Date } = {},
) =>
  [
    [one, other],
    [other, one],
  ].map(([personId, otherId]) => ({
    ...{ _id: `${personId}|1|${id}`, personId: String(personId), view: 1, conversationId: id },
    ...{ otherId: String(otherId), createdAt: at, activeAt: at, changedAt: at, stateChangedAt: at },
    ...{ isListed: true, newestSeq: 0, readSeq: 0, otherReadSeq: 0, clearedSeq: 0 },
  }))

export const begin = async (
  database: Connection,
  begun: readonly BegunConversation[],
  { at = new Date() }: { at?: Date } = {},
): Promise<void> => {
  const rows = begun.flatMap((one) => memberRowsOf(one, { at }))
  if (rows.length > 0) await database.collection<{ _id: string }>('members').insertMany(rows)
}

/** Gives a person conversations with partners who exist only in messaging, each with this many messages. */
export async function fillPerson(
  database: Connection,
  userId: string,
  { conversations, messagesEach }: { conversations: number; messagesEach: number },
): Promise<BegunConversation[]> {
  const partners = Array.from({ length: conversations }, (_, index) => ({
    ...{ _id: randomUUID(), username: `partner${index}` },
    ...{ userCode: '0000-0000', userCodeKey: '00000000', version: 1 },
  }))
  const begun = partners.map(({ _id }) => ({ id: randomUUID(), memberIds: [userId, _id] as const }))
  await database.collection<{ _id: string }>('people').insertMany(partners)
  await begin(database, begun)
  await fillConversations(
    database,
    begun.map((one) => ({ ...one, count: messagesEach })),
  )
  return begun
}
