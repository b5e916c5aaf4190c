import { collectionOf } from '@sumlock/service-kit/collection-of'
import { transact } from '@sumlock/service-kit/transact'
import type { Connection } from 'mongoose'
import { memberKey, otherKey } from '../domain/member.ts'
import type { MemberRecord } from '../domain/member.ts'

/** The id `standIn` replaces the member in this conversation, whose last message is `lastSeq`. */
export interface LeftConversation {
  conversationId: string
  standIn: string
  lastSeq: number
}

/** Replaces an erased person in the rows of conversations. */
export function createMemberErasure(connection: Connection) {
  const rows = collectionOf<MemberRecord>(connection, 'members')

  return {
    conversationsOf: async (personId: string, count: number): Promise<string[]> => {
      const found = await rows
        .find({ personId, view: 1 }, { projection: { conversationId: 1 } })
        .limit(count)
        .toArray()
      return found.map(({ conversationId }) => conversationId)
    },

    /**
     * Replaces a member's id in the rows of conversations. For the other members all messages there count as read. Runs in
     * a transaction, because the other member may be erased at the same time. Resolves with the ids of the other members,
     * including those whose rows an earlier run changed.
     */
    replaceMember: (personId: string, left: readonly LeftConversation[]): Promise<string[]> =>
      transact(connection, async (session) => {
        const keys = left.flatMap(({ conversationId: id, standIn }) => [
          memberKey(personId, id),
          memberKey(standIn, id),
        ])
        const found = await rows.find({ _id: { $in: keys } }, { session }).toArray()
        const open = left.flatMap((one) => {
          const row = found.find(({ _id }) => _id === memberKey(personId, one.conversationId))
          return row ? [{ ...one, row }] : []
        })
        const writes = [
          ...open.map(insertStandIn),
          ...open.map(nameStandIn),
          ...open.map(({ row }) => ({ deleteOne: { filter: { _id: row._id } } })),
        ]
        if (writes.length > 0) await rows.bulkWrite(writes, { session })
        return [...new Set(found.map(({ otherId }) => otherId))]
      }),
  }
}

interface LeftRow extends LeftConversation {
  row: MemberRecord
}

const $currentDate = { changedAt: true, stateChangedAt: true } as const

const insertStandIn = ({ row, standIn }: LeftRow) => ({
  updateOne: {
    filter: { _id: memberKey(standIn, row.conversationId) },
    update: { $setOnInsert: standInOf(row, standIn), $currentDate },
    upsert: true,
  },
})

/** Puts the new id into the row of the other member, and marks all messages there as read. */
const nameStandIn = ({ row, standIn, lastSeq }: LeftRow) => ({
  updateOne: {
    filter: { _id: otherKey(row) },
    update: {
      $set: { otherId: standIn },
      $max: { readSeq: lastSeq },
      $unset: { otherCode: '' as const, nickname: '' as const },
      $currentDate,
    },
  },
})

/**
 * Builds the row of the id that replaces a person. Messages that both members have deleted can be emptied only if both have
 * a row.
 */
function standInOf(row: MemberRecord, standIn: string) {
  const { conversationId, otherId, createdAt, activeAt, newestSeq, readSeq, otherReadSeq } = row
  return {
    ...{ personId: standIn, view: 1 as const, conversationId, otherId, createdAt, activeAt },
    ...{ newestSeq, readSeq, otherReadSeq, clearedSeq: row.clearedSeq, isListed: false },
    ...(row.emptiedSeq !== undefined && { emptiedSeq: row.emptiedSeq }),
    isEmptyingDue: true as const,
  }
}
