import type { Overlay } from './overlays.ts'

const database = 27017
const log = 9092
const hints = 6379
const media = 443
const traces = 4318

const among = (callers: readonly string[], callee: string, port: number) =>
  callers.map((caller) => `${caller} → ${callee}:${port}`)

const services = ['gateway', 'auth', 'messaging', 'billing', 'notify', 'realtime']
/** Who has data of its own, and who fills, changes or saves that. */
const mongoUsers = [
  ...['auth', 'messaging', 'billing', 'notify'].flatMap((name) => [name, `migrate-${name}`]),
  'backup',
]
const kafkaUsers = ['auth', 'messaging', 'billing', 'notify', 'realtime', 'topics']
const redisUsers = ['gateway', 'auth', 'messaging', 'realtime']

/**
 * Who may connect to whom: section 1 of the design, and the service-to-service calls it names. 8080 is a service's public
 * door, 8081 its internal one; there Prometheus finds the figures as well.
 */
const everywhere = [
  ...among(['the ingress controller'], 'web', 8080),
  ...among(['the ingress controller'], 'gateway', 8080),
  ...among(['the ingress controller'], 'realtime', 8080),
  ...['auth', 'messaging', 'billing', 'notify', 'realtime'].flatMap((name) => among(['gateway'], name, 8080)),
  ...['auth', 'messaging', 'billing'].flatMap((name) => among(['gateway'], name, 8081)),
  ...among(['messaging', 'billing', 'realtime'], 'auth', 8081),
  ...among(['messaging'], 'billing', 8081),
  ...among(['realtime'], 'messaging', 8081),
  ...services.flatMap((name) => among(['the observability namespace'], name, 8081)),
  ...among(services, 'the observability namespace', traces),
]

const engineNetwork = '10.0.0.0/8'

export const edges: Record<Overlay, readonly string[]> = {
  local: [
    ...everywhere,
    ...among([...mongoUsers, 'mongo-setup', 'seed'], 'mongo', database),
    ...among(kafkaUsers, 'kafka', log),
    ...among(redisUsers, 'redis', hints),
    ...among(['notify'], 'inbox', 1025),
    ...among(['seed'], 'gateway', 8080),
  ],
  production: [
    ...everywhere,
    ...among(mongoUsers, engineNetwork, database),
    ...among(kafkaUsers, engineNetwork, log),
    ...among(redisUsers, engineNetwork, hints),
    ...among(['notify'], engineNetwork, 587),
    ...among(['backup'], engineNetwork, media),
  ],
}
