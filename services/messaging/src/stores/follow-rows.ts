import { createChangeFeed } from '@sumlock/service-kit/change-feed'
import type { mongo } from 'mongoose'

/** Each read goes back this far, because a change becomes visible later than its date. */
const overlapMs = 10_000
/** When this many rows have changed, all remembered rows are read again. */
const followedAtOnce = 1000

/**
 * Returns a function that lists the rows whose date, by the database's clock, has moved since its last call, or returns
 * `all` when they are too many. The field `date` needs an index.
 */
export function followRows<T extends { _id: string }>(
  rows: Pick<mongo.Collection<T>, 'find'>,
  date: keyof T & string,
): () => Promise<readonly string[] | 'all'> {
  type Change = { _id: string } & Record<string, Date>
  const dateOf = (change: Change) => change[date] as Date
  let seenUntil = new Date(overlapMs)
  let changed: string[] = []
  let isWhole = true
  const read = createChangeFeed<Change, Date>({
    async ask(until) {
      // The database's clock may have been set back, or a new primary's may be behind: later changes have earlier dates.
      const since = { $subtract: [{ $min: [until, '$$NOW'] }, overlapMs] }
      const isNew: mongo.Filter<mongo.Document> = { $expr: { $gt: [`$${date}`, since] } }
      const changes = await rows
        .find<Change>(isNew as mongo.Filter<T>, {
          projection: { [date]: 1 },
        })
        .sort({ [date]: -1 })
        .limit(followedAtOnce)
        .toArray()
      isWhole = changes.length < followedAtOnce
      return { changes: changes.reverse() }
    },
    keyOf: (change) => `${change._id} ${dateOf(change).getTime()}`,
    apply(changes) {
      changed = changes.map(({ _id }) => _id)
      const last = changes.at(-1)
      if (last && dateOf(last) > seenUntil) seenUntil = dateOf(last)
    },
  })
  return async () => {
    changed = []
    await read(seenUntil)
    return isWhole ? changed : 'all'
  }
}
