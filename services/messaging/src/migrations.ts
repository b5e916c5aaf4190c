import { inboxMigration, inboxRemoval } from '@sumlock/bus/inbox'
import { outboxMigration } from '@sumlock/bus/outbox'
import { adminActionsMigration } from '@sumlock/service-kit/admin-actions'
import { utcDay } from '@sumlock/service-kit/clock'
import { jobsMigration } from '@sumlock/service-kit/job-store'
import type { Migration } from '@sumlock/service-kit/migrations'
import { rangesOf } from '@sumlock/service-kit/ranges-of'
import { dropIndex } from './drop-index.ts'
import { migrateMembers } from './migrate-members.ts'
import { migrateMessageCounts } from './migrate-message-counts.ts'
import { migrateOwnChanges } from './migrate-own-changes.ts'

/**
 * Migrations run in this order, and a merged entry must never change. group-commit.ts finds the names of indexes in error
 * texts.
 */
export const migrations: readonly Migration[] = [
  outboxMigration,
  {
    id: '0001-indexes',
    async up(connection) {
      await connection.collection('messages').createIndexes([
        {
          key: { conversationId: 1, senderId: 1, clientMessageId: 1 },
          // guard: stored-once
          name: 'clientMessageId',
          unique: true,
        },
        {
          key: { slot: 1 },
          name: 'slot',
          unique: true,
          partialFilterExpression: { slot: { $exists: true } },
        },
        {
          key: { createdAt: 1 },
          name: 'unpublished',
          partialFilterExpression: { unpublished: true },
        },
        {
          key: { conversationId: 1, seq: 1 },
          name: 'unpublishedOfConversation',
          partialFilterExpression: { unpublished: true },
        },
      ])
      await connection.collection('conversations').createIndexes([
        { key: { pair: 1 }, name: 'pair', unique: true },
        { key: { memberIds: 1 }, name: 'memberIds' },
      ])
      await connection.collection('people').createIndex({ userCodeKey: 1 }, { name: 'userCodeKey' })
    },
  },
  {
    id: '0002-entitlement-ends',
    async up(connection) {
      await connection.collection('entitlements').createIndex({ premiumUntil: 1 }, { name: 'premiumUntil' })
    },
  },
  {
    id: '0003-reports',
    async up(connection) {
      await connection.collection('reports').createIndexes([
        { key: { createdAt: -1 }, name: 'createdAt', expireAfterSeconds: 365 * 86_400 },
        { key: { reporterId: 1 }, name: 'reporterId' },
        { key: { reportedId: 1 }, name: 'reportedId' },
      ])
    },
  },
  inboxMigration,
  {
    id: '0004-emptying-due',
    async up(connection) {
      await connection
        .collection('conversations')
        .createIndex(
          { isEmptyingDue: 1 },
          { name: 'isEmptyingDue', partialFilterExpression: { isEmptyingDue: true } },
        )
    },
  },
  {
    id: '0005-closed-reports',
    async up(connection) {
      const reports = connection.collection('reports')
      await reports.createIndexes([
        { key: { closedAt: 1, createdAt: -1 }, name: 'closedAt' },
        { key: { closedAt: 1 }, name: 'texts', partialFilterExpression: { texts: { $exists: true } } },
      ])
      // The texts are dropped and not sealed, because a migration has no key. The ids and the note stay.
      for await (const _id of rangesOf(reports))
        await reports.updateMany({ _id, 'messages.content': { $exists: true } } as never, {
          $unset: { 'messages.$[].content': '' },
        })
    },
  },
  {
    id: '0006-media',
    async up(connection) {
      await connection.collection('media').createIndexes([
        { key: { ownerId: 1, status: 1 }, name: 'ownerId' },
        {
          key: { sweepAt: 1 },
          name: 'sweepAt',
          partialFilterExpression: { sweepAt: { $exists: true } },
        },
      ])
    },
  },
  {
    id: '0007-message-counts',
    up: migrateMessageCounts,
  },
  {
    id: '0008-conversation-sort-key',
    async up(connection) {
      const conversations = connection.collection('conversations')
      const withoutCopy = {
        $map: {
          input: { $objectToArray: '$members' },
          in: { k: '$$this.k', v: { $unsetField: { field: 'lastHidden', input: '$$this.v' } } },
        },
      }
      const $set = {
        lastMessageAt: { $ifNull: ['$lastMessageAt', '$createdAt'] },
        lastMessage: null,
        members: { $arrayToObject: withoutCopy },
      }
      for await (const _id of rangesOf(conversations))
        await conversations.updateMany({ _id } as never, [{ $set }])
      await conversations.createIndex(
        { memberIds: 1, lastMessageAt: -1, _id: -1 },
        { name: 'newestOfMember' },
      )
      await dropIndex(conversations, 'memberIds')
      await dropIndex(connection.collection('messages'), 'unpublishedOfConversation')
    },
  },
  {
    id: '0009-entitlement-changes',
    async up(connection) {
      await connection
        .collection('entitlements')
        .createIndex({ changedAt: 1 }, { name: 'changedAt', sparse: true })
    },
  },
  {
    id: '0010-slots',
    async up(connection) {
      await connection
        .collection('slots')
        .createIndex({ takenAt: 1 }, { name: 'takenAt', expireAfterSeconds: 3 * 86_400 })
      const days = [0, 1].map((ago) => utcDay(new Date(Date.now() - ago * 86_400_000)))
      const messages = connection.collection('messages')
      for await (const range of rangesOf(messages, 'slot'))
        await messages
          .aggregate([
            { $match: { slot: { $exists: true, $regex: `\\|(${days.join('|')})$`, ...range } } },
            { $project: { _id: '$slot', conversationId: 1, clientMessageId: 1, takenAt: '$createdAt' } },
            { $merge: { into: 'slots', whenMatched: 'keepExisting', whenNotMatched: 'insert' } },
          ])
          .toArray()
    },
  },
  {
    id: '0011-conversation-changes',
    async up(connection) {
      await connection
        .collection('conversations')
        .createIndex({ memberIds: 1, changedAt: 1 }, { name: 'changesOfMember' })
      await connection.collection('people').createIndex({ changedAt: 1 }, { name: 'changedAt', sparse: true })
      await connection
        .collection('entitlements')
        .createIndex({ shownChangeAt: 1 }, { name: 'shownChangeAt', sparse: true })
    },
  },
  jobsMigration,
  {
    id: '0012-reported-messages',
    async up(connection) {
      await connection
        .collection('messages')
        .createIndex({ conversationId: 1, messageId: 1 }, { name: 'messageId' })
    },
  },
  inboxRemoval,
  adminActionsMigration,
  {
    id: '0013-members',
    up: migrateMembers,
  },
  {
    id: '0014-acts',
    async up(connection) {
      const partly = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } })
      await connection.collection('messages').createIndexes([
        { key: { conversationId: 1, version: 1 }, name: 'version', ...partly('version') },
        { key: { conversationId: 1, 'ownEdit.version': 1 }, name: 'ownEdit', ...partly('ownEdit.version') },
      ])
      await connection
        .collection('actCounts')
        .createIndex({ takenAt: 1 }, { name: 'takenAt', expireAfterSeconds: 3 * 86_400 })
    },
  },
  {
    id: '0015-own-changes',
    up: migrateOwnChanges,
  },
  {
    id: '0016-vanishing',
    async up(connection) {
      await connection.collection('messages').createIndexes([
        {
          key: { conversationId: 1, senderId: 1, seq: 1 },
          name: 'unseen',
          partialFilterExpression: { isUnseen: true },
        },
        {
          key: { vanishAt: 1 },
          name: 'vanishAt',
          partialFilterExpression: { vanishAt: { $exists: true } },
        },
      ])
    },
  },
  {
    id: '0017-once',
    async up(connection) {
      const once = { name: 'once', partialFilterExpression: { isOnce: true } }
      await connection.collection('messages').createIndex({ messageId: 1 }, once)
    },
  },
  {
    id: '0018-bound-media',
    async up(connection) {
      const bound = { name: 'bound', partialFilterExpression: { bound: { $exists: true } } }
      await connection.collection('media').createIndex({ bound: 1 }, bound)
    },
  },
]
