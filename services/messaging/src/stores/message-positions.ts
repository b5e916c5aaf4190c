import type { mongo } from 'mongoose'
import { keysBetween, lastPossibleSeq } from '../domain/message.ts'
import type { MessageRecord, Position } from '../domain/message.ts'

type Counted = Pick<MessageRecord, 'seq' | 'memberIds' | 'counts' | 'isHidden' | 'shown'>

/** Positions of conversations, which make a count of messages the difference of two reads. */
export function createMessagePositions(collection: mongo.Collection<MessageRecord>) {
  const newestUpTo = async (conversationId: string, seq: number, filter: object = {}) => {
    const [newest] = await collection
      .find(
        { ...keysBetween(conversationId, 0, seq + 1), ...filter },
        { projection: { seq: 1, memberIds: 1, counts: 1, isHidden: 1, shown: 1 } },
      )
      .sort({ _id: -1 })
      .limit(1)
      .toArray()
    return newest as Counted | undefined
  }

  /** The last release stores messages without counts: counts on from the nearest message that has them. */
  const countOn = async (conversationId: string, { seq, memberIds }: Counted): Promise<Position> => {
    const base = await newestUpTo(conversationId, seq, { counts: { $exists: true } })
    const since = {
      ...keysBetween(conversationId, base?.seq ?? 0, seq + 1),
      senderId: { $in: memberIds },
      isHidden: { $exists: false },
    }
    const groups = await collection
      .aggregate<{ _id: string; count: number }>([
        { $match: since },
        { $group: { _id: '$senderId', count: { $sum: 1 } } },
      ])
      .toArray()
    const countOf = (index: 0 | 1) =>
      (base?.counts?.[index] ?? 0) + (groups.find(({ _id }) => _id === memberIds[index])?.count ?? 0)
    return { seq, counts: [countOf(0), countOf(1)] }
  }

  /** The last release stores hidden messages without these numbers. */
  const seekShown = async (
    conversationId: string,
    { seq, memberIds }: Counted,
  ): Promise<[number, number]> => {
    const [one, other] = await Promise.all(
      memberIds.map((viewerId) =>
        newestUpTo(conversationId, seq, { $or: [{ isHidden: { $exists: false } }, { senderId: viewerId }] }),
      ),
    )
    return [one?.seq ?? 0, other?.seq ?? 0]
  }

  return {
    /** The position after the message with this seq, or after the newest one. */
    async positionAt(conversationId: string, seq = lastPossibleSeq): Promise<Position> {
      const newest = seq > 0 ? await newestUpTo(conversationId, seq) : undefined
      if (!newest) return { seq: 0, counts: [0, 0] }
      const position = newest.counts
        ? { seq: newest.seq, counts: newest.counts }
        : await countOn(conversationId, newest)
      if (!newest.isHidden) return position
      return { ...position, shown: newest.shown ?? (await seekShown(conversationId, newest)) }
    },
  }
}
