import { createDatedChangeFeed } from '@sumlock/service-kit/change-feed'
import type { DatedChangeFeedOptions } from '@sumlock/service-kit/change-feed'

export interface ReconcileOptions<T> extends DatedChangeFeedOptions<T> {
  /** Whether events arrive: then only a lost one has to be found. */
  hearsEvents: () => boolean
}

const restMs = 20_000

/**
 * Returns a function that applies changes whose events were missed; call it every second. It asks at each call while Kafka
 * is silent, otherwise every 20 s.
 */
export function createReconcile<T extends { changedAt: string }>({
  hearsEvents,
  ...options
}: ReconcileOptions<T>): () => Promise<void> {
  const { clock } = options
  const read = createDatedChangeFeed(options)
  let askedAtMs = -Infinity
  return async () => {
    if (hearsEvents() && clock.nowMs() - askedAtMs < restMs) return
    askedAtMs = clock.nowMs()
    await read()
  }
}
