import type { ClientSession, mongo } from 'mongoose'
import { inEyesOf } from '../domain/act.ts'
import type { EditedContent, OwnChanges, Reaction, Role } from '../domain/act.ts'
import type { MessageName } from '../domain/media.ts'
import type { MemberRecord } from '../domain/member.ts'
import { messageKey } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import { emptying } from './emptying.ts'

type Key = Pick<MessageRecord, '_id'>
interface Version {
  version: number
}

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
      await collection.updateOne({ _id }, emptying({ isUnsent: true, version }, 'isVanished'), { session })
    },

    /** Replaces the content for both members. */
    async edit(session: ClientSession, { _id }: Key, { version, ...edited }: EditedContent & Version) {
      const update = { $set: { ...edited, version }, $unset: { 'own.sender.edited': '' as const } }
      await collection.updateOne({ _id }, update, { session })
    },

    /** Replaces the reaction of one member for both. */
    async react(session: ClientSession, { _id }: Key, role: Role, reaction: Reaction & Version) {
      const { version, ...fields } = reaction
      const $set = { [`reactions.${role}`]: fields, version }
      const $unset = { [`own.${role}.reaction`]: '' as const }
      await collection.updateOne({ _id }, { $set, $unset }, { session })
    },

    /** Stores changes for the member who made them only. */
    async changeOwn(session: ClientSession, { _id }: Key, role: Role, changes: OwnChanges): Promise<void> {
      const $set = Object.fromEntries(
        Object.entries(changes).map(([name, value]) => [`own.${role}.${name}`, value as unknown]),
      )
      await collection.updateOne({ _id }, { $set }, { session })
    },

    /**
     * Returns the messages that have changed for this member after the version `since`, ascending by version. Changes that
     * were made after the member's row was read are left out, because the two queries may see different ones of them.
     */
    async changedSince(
      { personId, otherId, conversationId, clearedSeq, version: upTo = 0 }: MemberRecord,
      since: number,
      limit: number,
    ): Promise<MessageRecord[]> {
      if (since >= upTo) return []
      const _id = { $gt: messageKey(conversationId, clearedSeq) }
      const range = { $gt: since, $lte: upTo }
      // The newer of the two versions of a message counts.
      const newer = (field: string, other: string) => ({ $expr: { $gt: [`$${field}`, `$${other}`] } })
      const [sent, received] = [{ senderId: personId }, { senderId: otherId }]
      const find = (field: string, filter: object) =>
        collection
          .find({ conversationId, [field]: range, _id, ...filter })
          .sort({ [field]: 1 })
          .limit(limit)
          .toArray()
      const pages = await Promise.all([
        find('version', {
          $or: [
            { ...sent, ...newer('version', 'own.sender.version') },
            {
              ...{ senderId: { $ne: personId }, isHidden: { $exists: false } },
              ...newer('version', 'own.recipient.version'),
            },
          ],
        }),
        find('own.sender.version', { ...sent, ...newer('own.sender.version', 'version') }),
        find('own.recipient.version', { ...received, ...newer('own.recipient.version', 'version') }),
      ])
      const versionOf = (record: MessageRecord) => inEyesOf(personId, record).version ?? 0
      return pages
        .flat()
        .sort((left, right) => versionOf(left) - versionOf(right))
        .slice(0, limit)
    },
  }
}
