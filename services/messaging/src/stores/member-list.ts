import { collectionOf } from '@sumlock/service-kit/collection-of'
import type { Connection, mongo } from 'mongoose'
import { memberKey } from '../domain/member.ts'
import type { ListCursor, MemberRecord, RememberedMember } from '../domain/member.ts'
import { followRows } from './follow-rows.ts'

const remembered = { personId: 1, conversationId: 1, otherId: 1, isBlocked: 1, isRequest: 1 } as const

export type MemberList = ReturnType<typeof createMemberList>

/**
 * Reads the rows of members. Lists use read concern `local`, because a new message updates rows without waiting for the
 * majority.
 */
export function createMemberList(connection: Connection) {
  const rows = collectionOf<MemberRecord>(connection, 'members')
  const latest = collectionOf<MemberRecord>(connection, 'members', { readConcern: { level: 'local' } })
  const own = (personId: string) => ({ personId, view: 1 }) as const

  return {
    of: (personId: string, conversationId: string): Promise<MemberRecord | null> =>
      rows.findOne({ _id: memberKey(personId, conversationId) }),

    byKeys: (keys: readonly string[]): Promise<MemberRecord[]> =>
      rows.find({ _id: { $in: [...keys] } }).toArray(),

    withOther: (personId: string, otherId: string): Promise<MemberRecord | null> =>
      rows.findOne({ ...own(personId), otherId }),

    /** Returns the row as a list shows it, which the majority may not have yet. */
    latestOf: (personId: string, conversationId: string): Promise<MemberRecord | null> =>
      latest.findOne({ _id: memberKey(personId, conversationId) }),

    latestWithOthers: (personId: string, otherIds: readonly string[]): Promise<MemberRecord[]> =>
      latest.find({ ...own(personId), otherId: { $in: [...otherIds] } }).toArray(),

    /**
     * Returns a page of a person's list, latest first. With `otherIds` the page has only conversations with these people,
     * and those with a nickname, which only the client can search.
     */
    page: (
      personId: string,
      { before, otherIds }: { before?: ListCursor | undefined; otherIds?: readonly string[] | undefined },
      limit: number,
    ): Promise<MemberRecord[]> => {
      const rest = before && {
        activeAt: { $lte: before.activeAt },
        $or: [{ activeAt: { $lt: before.activeAt } }, { _id: { $lt: memberKey(personId, before.id) } }],
      }
      return latest
        .find({
          ...own(personId),
          isListed: true,
          ...rest,
          ...(otherIds && {
            $and: [{ $or: [{ otherId: { $in: [...otherIds] } }, { nickname: { $exists: true } }] }],
          }),
        })
        .sort({ activeAt: -1, _id: -1 })
        .limit(limit)
        .toArray()
    },

    /** Returns at most `count` rows of a person that changed at `since` or later. */
    changedSince: (personId: string, since: Date, count: number): Promise<MemberRecord[]> =>
      latest
        .find({ ...own(personId), changedAt: { $gte: since } })
        .limit(count)
        .toArray(),

    /** Returns the other member of each conversation of a person. */
    partnersOf: async (personId: string): Promise<string[]> => {
      const found = await rows.find(own(personId), { projection: { otherId: 1 } }).toArray()
      return found.map(({ otherId }) => otherId)
    },

    newestOfAll: (personIds: readonly string[], count: number) => newestOfAll(rows, personIds, count),

    /** Returns the part of these rows that sends remember, by key. */
    rememberedOf: async (keys: readonly string[]): Promise<Map<string, RememberedMember>> => {
      const found = await rows.find({ _id: { $in: [...keys] } }, { projection: remembered }).toArray()
      return new Map(found.map((row) => [row._id, row]))
    },

    followChanges: () => followRows(rows, 'stateChangedAt'),
  }
}

type Begun = Pick<MemberRecord, 'conversationId' | 'otherId'>

/** Returns the newest `count` conversations of each of these people, by person. */
async function newestOfAll(
  rows: mongo.Collection<MemberRecord>,
  personIds: readonly string[],
  count: number,
): Promise<Map<string, Begun[]>> {
  const newest = {
    n: count,
    sortBy: { createdAt: -1, conversationId: 1 },
    output: { conversationId: '$conversationId', otherId: '$otherId' },
  }
  const found = await rows
    .aggregate<{ _id: string; newest: Begun[] }>([
      { $match: { personId: { $in: [...personIds] }, view: 1 } },
      { $group: { _id: '$personId', newest: { $topN: newest } } },
    ])
    .toArray()
  return new Map(found.map((one) => [one._id, one.newest]))
}
