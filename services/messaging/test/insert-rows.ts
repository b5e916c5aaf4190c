import { randomUUID } from 'node:crypto'
import { conversationOf } from '@sumlock/testing/many-messages'
import type { Connection } from 'mongoose'
import { newMediaKey } from '../src/domain/media.ts'

const insertedAtOnce = 1000
const at = new Date(Date.now() - 3_600_000)

export async function insertRows(
  database: Connection,
  name: string,
  count: number,
  row: (index: number) => object,
): Promise<void> {
  for (let from = 0; from < count; from += insertedAtOnce) {
    const size = Math.min(insertedAtOnce, count - from)
    const part = Array.from({ length: size }, (_, index) => row(from + index))
    await database.collection<{ _id: string }>(name).insertMany(part as never)
  }
}

/** Conversations of a person without messages. */
export const insertConversations = (database: Connection, userId: string, count: number, more: object = {}) =>
  insertRows(database, 'conversations', count, () => ({
    ...conversationOf([userId, randomUUID()], { at }),
    ...more,
  }))

/** Files that a person has uploaded and not sent. */
export const insertFiles = (database: Connection, ownerId: string, count: number) =>
  insertRows(database, 'media', count, () => ({
    ...{ _id: newMediaKey(), ownerId, sessionId: 's', status: 'stored', bytes: 1, maxBytes: 1 },
    ...{ attempts: [], uploadUntil: at, createdAt: at },
  }))

export const insertReports = (database: Connection, reporterId: string, count: number, more: object) =>
  insertRows(database, 'reports', count, (index) => ({
    ...{ _id: `${reporterId}|${index}`, reporterId, reportedId: 'r', conversationId: 'c' },
    ...{ messages: [{ id: 'm' }], note: null, createdAt: at, ...more },
  }))
