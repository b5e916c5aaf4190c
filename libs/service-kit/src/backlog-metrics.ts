import { setTimeout as wait } from 'node:timers/promises'
import type { mongo } from 'mongoose'
import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'

export interface Backlog {
  size: number
  /** The oldest pending record was created at this time; absent when none is pending. */
  oldest?: Date | undefined
}

/**
 * Counts the pending records of a collection, up to `countedTo`, and finds the oldest. The collection needs a partial
 * index named `unpublished` on `createdAt`.
 */
export async function unpublishedIn<T extends { createdAt: Date }>(
  collection: mongo.Collection<T>,
  pending: mongo.Filter<T>,
  countedTo: number,
): Promise<Backlog> {
  const [size, oldest] = await Promise.all([
    collection.countDocuments(pending, { limit: countedTo, hint: 'unpublished' }),
    collection.findOne(pending, { projection: { createdAt: 1 }, sort: { createdAt: 1 } }),
  ])
  return { size, oldest: oldest?.createdAt }
}

export interface BacklogOptions {
  registry: Registry
  /** The name `outbox` gives the metrics `outbox_pending_records` and `outbox_oldest_age_seconds`. */
  name: string
  clock: { nowMs(): number }
  /** Each key is a value of the metrics' label `of`. */
  readers: Readonly<Record<string, () => Promise<Backlog>>>
}

/** Counting stops at this number, because a longer backlog needs the same reaction. */
export const backlogCountedTo = 10_000

const answerWithinMs = 2000

/**
 * Adds two gauges to the registry: the number of pending records and the age of the oldest one. The database is
 * queried each time the metrics are read; while it does not answer, the gauges have no value. All replicas of a
 * service report the same table, so a query takes their maximum.
 */
export function measureBacklog({ registry, name, clock, readers }: BacklogOptions): void {
  let asking: Promise<void> | undefined
  const ask = async () => {
    const found = await Promise.all(
      Object.entries(readers).map(async ([of, read]) => {
        const inTime = Promise.race([read(), wait(answerWithinMs, undefined, { ref: false })])
        return [of, await inTime.catch(() => undefined)] as const
      }),
    )
    for (const [of, backlog] of found) {
      size.remove({ of })
      age.remove({ of })
      if (!backlog) continue
      const waitedMs = backlog.oldest ? clock.nowMs() - backlog.oldest.getTime() : 0
      size.set({ of }, backlog.size)
      age.set({ of }, Math.max(0, waitedMs / 1000))
    }
  }
  // When the metrics are read, both gauges share one query of the database.
  const collect = () => (asking ??= ask().finally(() => (asking = undefined)))
  const common = { labelNames: ['of'] as const, registers: [registry], collect }
  const age = new Gauge({
    ...common,
    name: `${name}_oldest_age_seconds`,
    help: `Age of the oldest pending record of the ${name} in seconds`,
  })
  const size = new Gauge({
    ...common,
    name: `${name}_pending_records`,
    help: `Pending records of the ${name}, counted up to ${backlogCountedTo}`,
  })
}
