import { setTimeout as wait } from 'node:timers/promises'
import type { mongo } from 'mongoose'
import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'

export interface Backlog {
  size: number
  /** When the oldest began to wait; absent when nothing waits. */
  oldest?: Date | undefined
}

/** What waits in a collection whose partial index `unpublished` (by `createdAt`) is for just that; counted up to a limit. */
export async function unpublishedIn<T extends { createdAt: Date }>(
  collection: mongo.Collection<T>,
  waits: mongo.Filter<T>,
  countedTo: number,
): Promise<Backlog> {
  const [size, oldest] = await Promise.all([
    collection.countDocuments(waits, { limit: countedTo, hint: 'unpublished' }),
    collection.findOne(waits, { projection: { createdAt: 1 }, sort: { createdAt: 1 } }),
  ])
  return { size, oldest: oldest?.createdAt }
}

export interface BacklogOptions {
  registry: Registry
  /** `outbox` becomes `outbox_pending_records` and `outbox_oldest_age_seconds`. */
  name: string
  clock: { nowMs(): number }
  /** What is measured, by the value of the label `of`. */
  readers: Readonly<Record<string, () => Promise<Backlog>>>
}

/** Counting stops here: whoever sees so many needs no exact number. */
export const backlogCountedTo = 10_000

const answerWithinMs = 2000

/**
 * How much waits in a table, and for how long. Asked for when somebody looks; while the database does not answer there is
 * no value at all, which tells more than an old one. Replicas of a service show the same rows: take their maximum.
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
  // Both gauges are read by one look.
  const collect = () => (asking ??= ask().finally(() => (asking = undefined)))
  const common = { labelNames: ['of'] as const, registers: [registry], collect }
  const age = new Gauge({
    ...common,
    name: `${name}_oldest_age_seconds`,
    help: `How long the oldest record of the ${name} has waited`,
  })
  const size = new Gauge({
    ...common,
    name: `${name}_pending_records`,
    help: `Records of the ${name} that wait, counted up to ${backlogCountedTo}`,
  })
}
