import { randomUUID } from 'node:crypto'
import { utcDay } from '@sumlock/service-kit/clock'
import { manyRows } from '@sumlock/testing/config'
import { conversationOf, fillConversation } from '@sumlock/testing/many-messages'
import { walkMigrations } from '@sumlock/testing/walk-migrations'
import type { WalkedMigration } from '@sumlock/testing/walk-migrations'
import type { Connection } from 'mongoose'
import { migrations } from '../src/migrations.ts'

const count = manyRows.count

let connection: Connection
const rowsOf = (name: string) => connection.collection<{ _id: string }>(name)
const all = (name: string, sort: 1 | -1 = 1) => rowsOf(name).find().sort({ _id: sort }).toArray()

const today = utcDay(new Date())
const [ann, ben] = [randomUUID(), randomUUID()]
const conversationId = randomUUID()

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
      const rows = Array.from({ length: count }, (_, index) => {
        const { lastMessageAt, members, ...row } = conversationOf([ann, randomUUID()], {
          at: new Date(index),
        })
        const copied = Object.entries(members).map(([id, own]) => [id, { ...own, lastHidden: { seq: 1 } }])
        const moved = index % 2 === 0 ? { lastMessageAt: new Date(lastMessageAt.getTime() + 5) } : {}
        return { ...row, ...moved, lastMessage: { seq: 1 }, members: Object.fromEntries(copied) as object }
      })
      await rowsOf('conversations').insertMany(rows)
    },
    async verify() {
      for (const row of (await all('conversations')) as unknown as ReturnType<typeof conversationOf>[]) {
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
}

walkMigrations('messaging', {
  migrations,
  async open(opened) {
    connection = opened
    await connection.collection('messages').createIndex({ slot: 1 }, { name: 'slot', sparse: true })
  },
  walked,
})
