import { createBulkhead, createTargets } from './bulkhead.ts'
import type { Bulkhead, Targets } from './bulkhead.ts'
import { ReplicaAgent } from './replica-agent.ts'

/** An upstream is one service behind the gateway: its replicas, the connections to them, and the permits to use them. */
export interface Upstream {
  targets: Targets
  agent: ReplicaAgent
  bulkhead: Bulkhead
}

/** Allows each replica `maxConcurrency` requests in flight, and keeps as many idle connections to it. */
export function createUpstream(
  urls: readonly string[],
  maxConcurrency: number,
  maxQueued?: number,
): Upstream {
  const targets = createTargets(urls)
  const agent = new ReplicaAgent(targets, maxConcurrency)
  return { targets, agent, bulkhead: createBulkhead(targets, maxConcurrency, maxQueued) }
}
