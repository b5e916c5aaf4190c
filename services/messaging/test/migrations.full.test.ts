import { randomUUID } from 'node:crypto'
import { utcDay } from '@sumlock/service-kit/clock'
import { manyRows } from '@sumlock/testing/config'
import { fillConversation, fillConversations } from '@sumlock/testing/many-messages'
import { walkMigrations } from '@sumlock/testing/walk-migrations'
import type { WalkedMigration } from '@sumlock/testing/walk-migrations'
import type { Connection } from 'mongoose'
import type { MemberRecord } from '../src/domain/member.ts'
import { migrations } from '../src/migrations.ts'

const count = manyRows.count

let connection: Connection
const rowsOf = (name: string) => connection.collection<{ _id: string }>(name)
const all = (name: string, sort: 1 | -1 = 1) => rowsOf(name).find().sort({ _id: sort }).toArray()

const today = utcDay(new Date())
const [ann, ben] = [randomUUID(), randomUUID()]
const conversationId = randomUUID()

const talked = 10

interface SortedConversation extends OldConversation {
  lastMessageAt: Date
  lastMessage: null
}

interface OldConversation {
  _id: string
  memberIds: [string, string]
  members: Record<string, object>
  createdAt: Date
}

/**
 * Conversations of Ann with a new partner: one blocked, one deleted by both, one that she deleted before the last
 * message, and requests.
 */
function oldConversation(index: number): OldConversation {
  const partner = randomUUID()
  const [own, other] = [
    [
      { lastReadSeq: 0, clearedBeforeSeq: 0 },
      { lastReadSeq: 1, clearedBeforeSeq: 3, isDeleted: true },
      { lastReadSeq: 0, clearedBeforeSeq: 2, isDeleted: true, isMuted: true },
    ][index] ?? { lastReadSeq: 0, clearedBeforeSeq: 0 },
    { lastReadSeq: 0, clearedBeforeSeq: index === 1 ? 3 : 0, ...(index >= talked && { isRequest: true }) },
  ]
  return {
    ...{ _id: randomUUID(), pair: randomUUID(), memberIds: [ann, partner], createdAt: new Date(index) },
    members: { [ann]: own, [partner]: other },
  }
}

const walked: Record<string, WalkedMigration> = {
  '0005-closed-reports': {
    insert: () =>
      rowsOf('reports').insertMany(
        Array.from({ length: count }, (_, index) => ({
          _id: randomUUID(),
          messages:
            index % 3 === 0
              ? [{ id: 'm' }]
              : [
                  { id: 'm', content: 'text' },
                  { id: 'n', content: 'more' },
                ],
        })),
      ),
    async verify() {
      expect(await rowsOf('reports').countDocuments({ 'messages.content': { $exists: true } })).toBe(0)
      expect(await rowsOf('reports').countDocuments({ 'messages.id': 'm' })).toBe(count)
    },
  },
  '0007-message-counts': {
    async insert() {
      // A batch ends in the middle of the second conversation.
      for (const [id, share] of [
        [randomUUID(), 11],
        [conversationId, 13],
        [randomUUID(), 6],
      ] as const)
        await fillConversation(connection, { id, memberIds: [ann, ben], count: (share * count) / 30 })
      await rowsOf('messages').updateMany({}, { $unset: { counts: '' } } as never)
      await rowsOf('messages').updateMany({ seq: { $mod: [10, 0] } }, { $set: { isHidden: true } })
    },
    async verify() {
      const sent = new Map<string, [number, number]>()
      for (const row of await all('messages')) {
        const { conversationId: id, senderId, isHidden, counts } = row as unknown as Record<string, string>
        const own = sent.get(String(id)) ?? [0, 0]
        if (!isHidden) own[senderId === ann ? 0 : 1] += 1
        sent.set(String(id), own)
        expect(counts).toEqual(own)
      }
      expect(sent.get(conversationId)).toEqual([(13 * count) / 60, (13 * count) / 75])
    },
  },
  '0008-conversation-sort-key': {
    async insert() {
      const member = { lastReadSeq: 0, clearedBeforeSeq: 0, lastHidden: { seq: 1 } }
      const rows = Array.from({ length: count }, (_, index) => {
        const memberIds = [ann, randomUUID()]
        const moved = index % 2 === 0 ? { lastMessageAt: new Date(index + 5) } : {}
        const members = Object.fromEntries(memberIds.map((id) => [id, member]))
        const dates = { createdAt: new Date(index), ...moved, lastMessage: { seq: 1 } }
        return { _id: randomUUID(), pair: memberIds.join(':'), memberIds, members, ...dates }
      })
      await rowsOf('conversations').insertMany(rows)
    },
    async verify() {
      for (const row of (await all('conversations')) as unknown as SortedConversation[]) {
        const at = row.createdAt.getTime()
        expect(row.lastMessageAt.getTime()).toBe(at % 2 === 0 ? at + 5 : at)
        expect(row.lastMessage).toBeNull()
        for (const own of Object.values(row.members))
          expect(own).toEqual({ lastReadSeq: 0, clearedBeforeSeq: 0 })
      }
      expect(await rowsOf('conversations').countDocuments()).toBe(count)
    },
  },
  '0010-slots': {
    async insert() {
      const rows = await all('messages')
      await rowsOf('messages').bulkWrite(
        rows.map(({ _id }, index) => ({
          updateOne: {
            filter: { _id },
            update: { $set: { slot: `person ${index}|${index % 2 === 0 ? today : '2026-01-01'}` } } as never,
          },
        })),
      )
      await rowsOf('slots').insertOne({ _id: `person 0|${today}`, clientMessageId: 'newer' } as never)
    },
    async verify() {
      expect(await rowsOf('slots').countDocuments()).toBe(count / 2)
      expect(await rowsOf('slots').findOne({ _id: `person 0|${today}` })).toMatchObject({
        clientMessageId: 'newer',
      })
      const [, second] = (await all('messages')).filter((_, index) => index % 2 === 0) as unknown as Record<
        string,
        string
      >[]
      expect(await rowsOf('slots').findOne({ _id: String(second?.['slot']) })).toEqual({
        _id: second?.['slot'],
        conversationId: second?.['conversationId'],
        clientMessageId: second?.['clientMessageId'],
        takenAt: second?.['createdAt'],
      })
    },
  },
  '0015-own-changes': {
    async insert() {
      const ownEdit = { content: 'own', edit: { id: 'act', count: 1 }, version: 3 }
      await rowsOf('messages').updateMany({ seq: { $mod: [2, 0] } }, { $set: { ownEdit } })
    },
    async verify() {
      expect(await rowsOf('messages').countDocuments({ ownEdit: { $exists: true } })).toBe(0)
      const edited = { content: 'own', edit: { id: 'act', count: 1 } }
      for (const { seq, own } of (await all('messages')) as unknown as { seq: number; own?: object }[])
        expect(own).toEqual(seq % 2 === 0 ? { sender: { version: 3, edited } } : undefined)
    },
  },
  '0013-members': {
    // The migration writes the rows, the rows again, the remains of blocks, slots and jobs, and the conversations
    // themselves.
    deaths: [1, 2, 3, 5, 6],
    async insert() {
      await Promise.all(['messages', 'conversations'].map((name) => rowsOf(name).deleteMany({})))
      const old = Array.from({ length: count }, (_, index) => oldConversation(index))
      await rowsOf('conversations').insertMany(old)
      await fillConversations(
        connection,
        old.slice(0, talked).map(({ _id, memberIds: [one, other] }) => ({
          ...{ id: _id, memberIds: [one, other] as const, count: 3 },
        })),
      )
      // The other member of the first conversation blocked Ann, who then sent the third message.
      const [first] = old as [OldConversation]
      await rowsOf('messages').updateOne(
        { _id: `${first._id}:0000000003` },
        {
          $set: { isHidden: true, shown: [3, 2] },
        },
      )
      await rowsOf('messages').updateMany({ seq: 1 }, [{ $set: { slot: '$messageId' } }] as never)
      await rowsOf('entitlements').insertOne({ _id: first.memberIds[1], blocked: [first._id] } as never)
      await rowsOf('people').insertOne({ _id: first.memberIds[1], userCode: 'THEN-CODE' } as never)
      await rowsOf('jobs').insertOne({ _id: `empty|${first._id}`, kind: 'empty' } as never)
    },
    async verify() {
      const rows = (await all('members')) as unknown as MemberRecord[]
      expect(rows).toHaveLength(2 * count)
      const at = (index: number, personId: string) =>
        rows.find((row) => row.personId === personId && row.createdAt.getTime() === index) as MemberRecord
      const partner = (index: number) => at(index, at(index, ann).otherId)
      // Ann sent the first and the third message.
      expect(at(0, ann)).toMatchObject({ newestSeq: 3, isListed: true, otherCode: 'THEN-CODE', view: 1 })
      expect(partner(0)).toMatchObject({ newestSeq: 2, isBlocked: true, otherId: ann })
      expect(at(0, ann).isBlocked).toBeUndefined()
      const second = await rowsOf('messages').findOne({ _id: `${at(0, ann).conversationId}:0000000002` })
      expect(partner(0).activeAt).toEqual((second as unknown as { createdAt: Date }).createdAt)
      expect(at(1, ann)).toMatchObject({ clearedSeq: 3, isDeleted: true, isListed: false, readSeq: 1 })
      expect(partner(1)).toMatchObject({ otherReadSeq: 1, clearedSeq: 3, isEmptyingDue: true })
      expect(at(2, ann)).toMatchObject({ clearedSeq: 2, isDeleted: true, isListed: true, isMuted: true })
      const last = count - 1
      expect(at(last, ann)).toMatchObject({ newestSeq: 0, activeAt: new Date(last), isListed: true })
      expect(partner(last)).toMatchObject({ isRequest: true, isListed: false })
      expect(await rowsOf('entitlements').countDocuments({ blocked: { $exists: true } })).toBe(0)
      const dead = { $or: [{ slot: { $exists: true } }, { shown: { $exists: true } }] }
      expect(await rowsOf('messages').countDocuments(dead as never)).toBe(0)
      expect(await rowsOf('messages').indexExists('slot')).toBe(false)
      expect(await rowsOf('jobs').countDocuments({ kind: 'empty' })).toBe(0)
      expect(await rowsOf('conversations').countDocuments()).toBe(0)
    },
  },
}

walkMigrations('messaging', {
  migrations,
  async open(opened) {
    connection = opened
    await connection.collection('messages').createIndex({ slot: 1 }, { name: 'slot', sparse: true })
  },
  walked,
})
