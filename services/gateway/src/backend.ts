import { createPlaces } from './domain/places.ts'
import type { Places } from './domain/places.ts'
import { createTargets } from './domain/targets.ts'
import type { Targets } from './domain/targets.ts'
import { ReplicaAgent } from './replica-agent.ts'

/** One service behind the gateway: its replicas, the connections to them, and who may use one. */
export interface Backend {
  targets: Targets
  agent: ReplicaAgent
  places: Places
}

/** At each address `placesEach` requests are under way at most, and as many idle connections are kept. */
export function createBackend(urls: readonly string[], placesEach: number): Backend {
  const targets = createTargets(urls)
  const agent = new ReplicaAgent(targets, placesEach)
  return { targets, agent, places: createPlaces(targets, placesEach) }
}
