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

/**
 * Works as the only owner; false when another owner has the lease, or it was lost before the work ended. It ends three seconds
 * after the owner died. The work calls `isHeld` between its parts: false when another owner has taken over, or when no renewal
 * came through for three seconds.
 */
export async function whileHolding(
  lease: Lease,
  clock: Pick<Clock, 'nowMs'>,
  work: (isHeld: () => boolean) => Promise<void>,
): Promise<boolean> {
  let heldUntilMs = clock.nowMs() + heldMs
  const isHeld = () => clock.nowMs() < heldUntilMs
  if (!(await lease.take(new Date(clock.nowMs()), new Date(heldUntilMs)))) return false
  const renew = async () => {
    const untilMs = clock.nowMs() + heldMs
    const isOwn = await lease.renew(new Date(untilMs))
    // A lost lease stays lost, because another owner may have worked since.
    if (isHeld()) heldUntilMs = isOwn ? Math.max(heldUntilMs, untilMs) : -Infinity
  }
  const renewal = setInterval(() => void renew().catch(() => undefined), renewEveryMs)
  try {
    await work(isHeld)
    return isHeld()
  } finally {
    clearInterval(renewal)
    await lease.release()
  }
}
