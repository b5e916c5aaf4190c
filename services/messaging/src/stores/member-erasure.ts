import { collectionOf } from '@sumlock/service-kit/collection-of'
import { transact } from '@sumlock/service-kit/transact'
import type { Connection } from 'mongoose'
import { memberKey, otherKey } from '../domain/member.ts'
import type { MemberRecord } from '../domain/member.ts'

/** A conversation that a member leaves for good, after its last message. */
export interface LeftConversation {
  conversationId: string
  standIn: string
  lastSeq: number
}

/** Removes a person from the rows. */
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
     * Gives conversations other ids in place of a member's. The other members have nothing left to read. Runs in a transaction,
     * because the other member may be erased at the same time. Resolves with their ids, including those from earlier runs.
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

/** Selects the row of the other member. */
const nameStandIn = ({ row, standIn, lastSeq }: LeftRow) => ({
  updateOne: {
    filter: { _id: otherKey(row) },
    update: {
      $set: { otherId: standIn },
      $max: { readSeq: lastSeq },
      $unset: { otherCode: '' as const },
      $currentDate,
    },
  },
})

/**
 * Builds the row of the id that replaces a person. Because of this row, messages that both members have deleted are
 * emptied.
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
