import type { Collection } from 'mongoose'
import type { Clock } from './clock.ts'

export interface LeaseRow {
  _id: string
  owner?: string
  until?: Date
}

/** A lease is a lock in the database that ends at a set time, so that it does not stay when its owner dies. */
export interface Lease {
  /**
   * Takes the lease until a time, also if this owner already has it. Resolves with false while another owner has it.
   */
  take(this: void, now: Date, until: Date): Promise<boolean>
  /** Sets a new end. Resolves with false when another owner has taken the lease over. */
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
        // The insert collides with the row of another owner.
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
 * Runs `work` while it holds the lease. Resolves with false when another owner has the lease, or when it was lost
 * before the end. The lease is renewed every second for three seconds. `work` calls `isHeld` between its parts and
 * stops when that returns false: another owner took over, or no renewal succeeded for three seconds.
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
    // A lease that has ended counts as lost even if its renewal succeeds now, because another owner may have worked
    // in between.
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
