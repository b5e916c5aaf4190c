import type { mongo } from 'mongoose'
import type { ConversationRecord } from '../domain/conversation.ts'

/** Part of an update that both members see. */
export const changedForBoth = { $currentDate: { changedAt: true, changedForBothAt: true } } as const

/** Part of an update that only this member sees; `changedAt` finds it by an index. */
export const changedFor = (userId: string) => ({
  $currentDate: { changedAt: true, [`members.${userId}.changedAt`]: true } as Record<string, true>,
})

export function createConversationChanges(collection: mongo.Collection<ConversationRecord>) {
  return {
    /**
     * Conversations of a person that may have changed; at most `count`. By the sort key, too: a new conversation has no other
     * date, and the last release writes none.
     */
    changedSince: (userId: string, since: Date, count: number): Promise<ConversationRecord[]> => {
      const recent = { $gte: since }
      return collection
        .find({
          $or: [
            { memberIds: userId, changedAt: recent },
            { memberIds: userId, lastMessageAt: recent },
          ],
        })
        .limit(count)
        .toArray()
    },

    /** The conversations with these ids or of these pairs. */
    byIdsOrPairs: (ids: readonly string[], pairs: readonly string[]): Promise<ConversationRecord[]> =>
      collection.find({ $or: [{ _id: { $in: [...ids] } }, { pair: { $in: [...pairs] } }] }).toArray(),
  }
}
