import { setTimeout as wait } from 'node:timers/promises'
import type { mongo } from 'mongoose'
import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'

export interface Backlog {
  size: number
  /** When the oldest record was created; absent when none is pending. */
  oldest?: Date | undefined
}

/** The pending records of a collection with the partial index `unpublished` (by `createdAt`), counted up to a limit. */
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
  /** `outbox` becomes `outbox_pending_records` and `outbox_oldest_age_seconds`. */
  name: string
  clock: { nowMs(): number }
  /** A reader for each value of the label `of`. */
  readers: Readonly<Record<string, () => Promise<Backlog>>>
}

/** Counting stops here: beyond it the exact number does not matter. */
export const backlogCountedTo = 10_000

const answerWithinMs = 2000

/**
 * Measures how many records of a table are pending, and for how long, when the metrics are read. There is no value while
 * the database does not answer. Replicas of a service report the same rows: take their maximum.
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
  // Both gauges share one query.
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
