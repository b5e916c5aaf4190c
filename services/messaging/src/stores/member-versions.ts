import { collectionOf } from '@sumlock/service-kit/collection-of'
import type { ClientSession, Connection } from 'mongoose'
import { conversationNotFound } from '../domain/errors.ts'
import { memberKey, otherKey } from '../domain/member.ts'
import type { MemberRecord } from '../domain/member.ts'
import { changing } from './member-changes.ts'

type Pair = Pick<MemberRecord, 'personId' | 'otherId' | 'conversationId'>
type Versions = Pick<MemberRecord, 'version' | 'shownVersion'>

/** The present number of changes of a conversation's messages. */
const version = { $ifNull: ['$version', 0] }

/** Counts the changes of a conversation's messages in the rows of both members. */
export function createMemberVersions(connection: Connection) {
  const rows = collectionOf<MemberRecord>(connection, 'members')

  return {
    /** Returns the versions of these rows, by key, that the majority has. */
    byKeys: async (keys: readonly string[]): Promise<Map<string, Versions>> => {
      if (keys.length === 0) return new Map()
      const projection = { version: 1, shownVersion: 1 } as const
      const found = await rows.find({ _id: { $in: [...keys] } }, { projection }).toArray()
      return new Map(found.map((row) => [row._id, row]))
    },

    /** Returns the rows of this member and of the other one as the transaction sees them. */
    async both(session: ClientSession, { personId, otherId, conversationId }: Pair) {
      const keys = [memberKey(personId, conversationId), memberKey(otherId, conversationId)]
      const found = await rows.find({ _id: { $in: keys } }, { session }).toArray()
      const own = found.find((row) => row.personId === personId)
      if (!own) throw conversationNotFound()
      return { own, other: found.find((row) => row !== own) }
    },

    /**
     * Raises the number in both rows and returns it. The transactions of two changes conflict in these rows, so the numbers
     * have the order of the changes. The other member notices nothing of a change that is not shown to them.
     */
    async raise(session: ClientSession, row: Pair, isShownToOther: boolean): Promise<number> {
      const own = await rows.findOneAndUpdate(
        { _id: memberKey(row.personId, row.conversationId) },
        changing({ version: { $add: [version, 1] } }, 'shownVersion'),
        { session, returnDocument: 'after', projection: { version: 1 } },
      )
      if (own?.version === undefined) throw conversationNotFound()
      const other = isShownToOther
        ? changing({ version: own.version }, 'shownVersion')
        : [{ $set: { version: own.version, shownVersion: { $ifNull: ['$shownVersion', version] } } }]
      await rows.updateOne({ _id: otherKey(row) }, other, { session })
      return own.version
    },

    /** Lists the row of this member as changed, without a number that the other member would miss. */
    async noteUnnumbered(session: ClientSession, { personId, conversationId }: Pair): Promise<void> {
      await rows.updateOne({ _id: memberKey(personId, conversationId) }, changing({}), { session })
    },
  }
}
