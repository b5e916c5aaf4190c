import type { ClientSession, mongo } from 'mongoose'
import { inEyesOf } from '../domain/act.ts'
import type { OwnEdit } from '../domain/act.ts'
import type { MessageName } from '../domain/media.ts'
import type { MemberRecord } from '../domain/member.ts'
import { messageKey } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import { emptying } from './emptying.ts'

type Key = Pick<MessageRecord, '_id'>

/** Changes stored messages, and reads those that have changed. */
export function createMessageActs(collection: mongo.Collection<MessageRecord>) {
  return {
    /** Returns the message as the transaction sees it. */
    named: (
      session: ClientSession,
      { conversationId, senderId, clientMessageId }: MessageName,
    ): Promise<MessageRecord | null> =>
      collection.findOne({ conversationId, senderId, clientMessageId }, { session }),

    async unsend(session: ClientSession, { _id }: Key, version: number): Promise<void> {
      await collection.updateOne({ _id }, emptying({ isUnsent: true, version }), { session })
    },

    /** Replaces the content for both members. */
    async edit(session: ClientSession, { _id }: Key, fields: OwnEdit): Promise<void> {
      await collection.updateOne({ _id }, { $set: fields, $unset: { ownEdit: '' } }, { session })
    },

    /** Replaces the content for the sender only. */
    async editForSender(session: ClientSession, { _id }: Key, ownEdit: OwnEdit): Promise<void> {
      await collection.updateOne({ _id }, { $set: { ownEdit } }, { session })
    },

    /**
     * Returns the messages that have changed for this member after the version `since`, ascending by version. Changes that
     * were made after the member's row was read are left out, because the two queries may see different ones of them.
     */
    async changedSince(
      { personId, conversationId, clearedSeq, version: upTo = 0 }: MemberRecord,
      since: number,
      limit: number,
    ): Promise<MessageRecord[]> {
      if (since >= upTo) return []
      const _id = { $gt: messageKey(conversationId, clearedSeq) }
      const range = { $gt: since, $lte: upTo }
      const isShown = [
        { senderId: personId, ownEdit: { $exists: false } },
        { senderId: { $ne: personId }, isHidden: { $exists: false } },
      ]
      const pages = await Promise.all([
        collection
          .find({ conversationId, version: range, _id, $or: isShown })
          .sort({ version: 1 })
          .limit(limit)
          .toArray(),
        collection
          .find({ conversationId, 'ownEdit.version': range, _id, senderId: personId })
          .sort({ 'ownEdit.version': 1 })
          .limit(limit)
          .toArray(),
      ])
      const versionOf = (record: MessageRecord) => inEyesOf(personId, record).version ?? 0
      return pages
        .flat()
        .sort((left, right) => versionOf(left) - versionOf(right))
        .slice(0, limit)
    },
  }
}
