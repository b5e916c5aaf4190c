import { randomUUID } from 'node:crypto'
import { memberRowsOf } from '@sumlock/testing/many-messages'
import { insertRows } from '@sumlock/testing/walk-bounded-writes'
import type { Connection } from 'mongoose'
import { newMediaKey } from '../src/domain/media.ts'

const at = new Date(Date.now() - 3_600_000)

/** Conversations of a person without messages. */
export async function insertConversations(
  database: Connection,
  userId: string,
  count: number,
  more: object = {},
): Promise<void> {
  const rows = Array.from({ length: count }, () =>
    memberRowsOf({ id: randomUUID(), memberIds: [userId, randomUUID()] }, { at }),
  ).flat()
  await insertRows(database, 'members', rows.length, (index) => ({ ...rows[index], ...more }))
}

/** Files that a person has uploaded and not sent. */
export const insertFiles = (database: Connection, ownerId: string, count: number) =>
  insertRows(database, 'media', count, () => ({
    ...{ _id: newMediaKey(), ownerId, sessionId: 's', status: 'stored', bytes: 1, maxBytes: 1 },
    ...{ attempts: [], uploadUntil: at, createdAt: at, sweepAt: at },
  }))

export const insertReports = (database: Connection, reporterId: string, count: number, more: object) =>
  insertRows(database, 'reports', count, (index) => ({
    ...{ _id: `${reporterId}|${index}`, reporterId, reportedId: 'r', conversationId: 'c' },
    ...{ messages: [{ id: 'm' }], note: null, createdAt: at, ...more },
  }))
