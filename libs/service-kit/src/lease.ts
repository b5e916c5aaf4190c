import type { Collection } from 'mongoose'
import type { Clock } from './clock.ts'

export interface LeaseRow {
  _id: string
  owner?: string
  until?: Date
}

/** A lock in the database that ends by itself when its owner dies. */
export interface Lease {
  /** Takes it until a time, or longer; false while another owner has it. */
  take(this: void, now: Date, until: Date): Promise<boolean>
  /** Moves the end; false when another owner has taken it over. */
  renew(this: void, until: Date): Promise<boolean>
  release(this: void): Promise<void>
}

export function createLease(rows: Collection<LeaseRow>, _id: string, owner: string): Lease {
  const set = async (until: Date) => {
    const { matchedCount } = await rows.updateOne({ _id, owner }, { $set: { until } })
    return matchedCount > 0
  }
  return {
    async take(now, until) {
      try {
        const row = await rows.findOneAndUpdate(
          { _id, $or: [{ until: { $lt: now } }, { owner }] },
          { $set: { owner, until } },
          { upsert: true, returnDocument: 'after' },
        )
        return row?.owner === owner
      } catch (error) {
        // Another owner has it, or inserted the row first.
        if ((error as { code?: number }).code === 11000) return false
        throw error
      }
    },
    renew: set,
    release: async () => void (await set(new Date(0))),
  }
}

const heldMs = 3000
const renewEveryMs = 1000

/** Works as the only owner; false when another owner has the lease. It ends three seconds after the owner died. */
export async function whileHolding(
  lease: Lease,
  clock: Pick<Clock, 'nowMs'>,
  work: () => Promise<void>,
): Promise<boolean> {
  const until = () => new Date(clock.nowMs() + heldMs)
  if (!(await lease.take(new Date(clock.nowMs()), until()))) return false
  const renewal = setInterval(() => void lease.renew(until()).catch(() => undefined), renewEveryMs)
  try {
    await work()
  } finally {
    clearInterval(renewal)
    await lease.release()
  }
  return true
}
