import { collectionOf } from '@sumlock/service-kit/collection-of'
import type { Connection, mongo } from 'mongoose'
import { memberKey } from '../domain/member.ts'
import type { MemberRecord } from '../domain/member.ts'
import { shownTo } from '../domain/message.ts'
import type { StoredMessage } from '../domain/message.ts'
import { changing } from './member-changes.ts'

export type MemberActivity = ReturnType<typeof createMemberActivity>

/**
 * A row may be locked by the transaction of a process that was killed. The sender does not wait until that transaction
 * ends.
 */
const moveWithinMs = 1000

/** Code 50 is MongoDB's `MaxTimeMSExpired`. */
const tookTooLong = (error: unknown): boolean => (error as { code?: number }).code === 50

const keysOf = (message: StoredMessage): string[] =>
  shownTo(message).map((personId) => memberKey(personId, message.conversationId))

/** Updates the rows of the members who are shown a new message, which moves the conversation to the top of their lists. */
export function createMemberActivity(connection: Connection) {
  const rows = collectionOf<MemberRecord>(connection, 'members')

  const move = async (
    messages: readonly StoredMessage[],
    writeConcern: mongo.WriteConcernSettings = { w: 1, journal: false },
  ): Promise<void> => {
    const newest = new Map<string, StoredMessage>()
    for (const message of messages)
      for (const key of keysOf(message))
        if ((newest.get(key)?.seq ?? 0) < message.seq) newest.set(key, message)
    // The driver does not retry `updateMany`, so MongoDB writes no session record for this command.
    const updates = [...newest].map(([_id, { seq, createdAt }]) => ({
      updateMany: {
        filter: { _id, newestSeq: { $lt: seq } },
        update: changing({ newestSeq: seq, activeAt: createdAt }),
      },
    }))
    if (updates.length > 0)
      await rows.bulkWrite(updates, { ordered: false, writeConcern, maxTimeMS: moveWithinMs })
  }

  return {
    /**
     * Updates rows by one command without waiting for the majority. The update may be lost with its server, so `moved`
     * checks it before a message is marked as published.
     */
    move: (messages: readonly StoredMessage[]) => move(messages),

    /** Updates rows and waits for the majority. Resolves with the messages that have a locked row. */
    moveSurely: async (messages: readonly StoredMessage[]): Promise<readonly StoredMessage[]> => {
      const surely = (some: readonly StoredMessage[]) => move(some, { w: 'majority' })
      try {
        await surely(messages)
        return []
      } catch (error) {
        if (!tookTooLong(error)) throw error
      }
      const moves = await Promise.allSettled(messages.map((message) => surely([message])))
      const failed = moves.find((one) => one.status === 'rejected' && !tookTooLong(one.reason))
      if (failed?.status === 'rejected') throw failed.reason
      return messages.filter((_, index) => moves[index]?.status === 'rejected')
    },

    /** Returns the keys of the messages for which the majority has the updates of all rows. */
    moved: async (messages: readonly StoredMessage[]): Promise<string[]> => {
      const found = await rows
        .find({ _id: { $in: messages.flatMap(keysOf) } }, { projection: { newestSeq: 1 } })
        .toArray()
      const newest = new Map(found.map(({ _id, newestSeq }) => [_id, newestSeq]))
      // A missing row counts as updated, because it was erased with its person.
      const isMoved = (message: StoredMessage) =>
        keysOf(message).every((key) => (newest.get(key) ?? Infinity) >= message.seq)
      return messages.filter(isMoved).map(({ _id }) => _id)
    },
  }
}
