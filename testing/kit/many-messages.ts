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
      // The next rows are made while the database stores these.
      await inserting
      inserting = insert(batch)
      batch = []
    }
  await inserting
  if (batch.length > 0) await insert(batch)
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

/** Gives a person conversations with people who exist in messaging only, each with as many messages. */
export async function fillPerson(
  database: Connection,
  userId: string,
  { conversations, messagesEach }: { conversations: number; messagesEach: number },
): Promise<ReturnType<typeof conversationOf>[]> {
  const partners = Array.from({ length: conversations }, (_, index) => ({
    ...{ _id: randomUUID(), username: `partner${index}` },
    ...{ userCode: '0000-0000', userCodeKey: '00000000', version: 1 },
  }))
  const rows = partners.map(({ _id }) => conversationOf([userId, _id]))
  await database.collection<{ _id: string }>('people').insertMany(partners)
  await database.collection<{ _id: string }>('conversations').insertMany(rows)
  await fillConversations(
    database,
    rows.map(({ _id, memberIds }) => ({
      ...{ id: _id, memberIds: memberIds as [string, string], count: messagesEach },
    })),
  )
  return rows
}
