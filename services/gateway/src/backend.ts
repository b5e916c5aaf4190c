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

/** Also where one address stands for many replicas: then they share these. */
const placesPerReplica = 64

export function createBackend(urls: readonly string[], perReplica = placesPerReplica): Backend {
  const targets = createTargets(urls)
  const agent = new ReplicaAgent(targets, perReplica)
  return { targets, agent, places: createPlaces(targets, perReplica) }
}
