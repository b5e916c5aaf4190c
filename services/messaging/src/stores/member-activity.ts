import { collectionOf } from '@sumlock/service-kit/collection-of'
import type { Connection, mongo } from 'mongoose'
import { memberKey } from '../domain/member.ts'
import type { MemberRecord } from '../domain/member.ts'
import { shownTo } from '../domain/message.ts'
import type { StoredMessage } from '../domain/message.ts'
import { changing } from './member-changes.ts'

export type MemberActivity = ReturnType<typeof createMemberActivity>

/** A row may be locked by the transaction of a process that was killed. The sender does not wait for its end. */
const moveWithinMs = 1000

/** MongoDB's `MaxTimeMSExpired`. */
const tookTooLong = (error: unknown): boolean => (error as { code?: number }).code === 50

const keysOf = (message: StoredMessage): string[] =>
  shownTo(message).map((personId) => memberKey(personId, message.conversationId))

/** Moves the rows of the members who are shown a new message. */
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
    // MongoDB does not retry a command of `updateMany`, so it writes no session record.
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
    /** Uses one command, which may be lost with its server; `moved` checks it before a message counts as published. */
    move: (messages: readonly StoredMessage[]) => move(messages),

    /** Moves rows durably; resolves with the messages that have a locked row. */
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

    /** Returns the keys of the messages whose rows the majority has moved. */
    moved: async (messages: readonly StoredMessage[]): Promise<string[]> => {
      const found = await rows
        .find({ _id: { $in: messages.flatMap(keysOf) } }, { projection: { newestSeq: 1 } })
        .toArray()
      const newest = new Map(found.map(({ _id, newestSeq }) => [_id, newestSeq]))
      // A row that is gone was erased with its person.
      const isMoved = (message: StoredMessage) =>
        keysOf(message).every((key) => (newest.get(key) ?? Infinity) >= message.seq)
      return messages.filter(isMoved).map(({ _id }) => _id)
    },
  }
}
