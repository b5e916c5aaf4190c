import type { Overlay } from './overlays.ts'

const ports = {
  public: 8080,
  internal: 8081,
  mongo: 27017,
  kafka: 9092,
  redis: 6379,
  ownS3: 7070,
  s3: 443,
  traces: 4318,
}

const edgesTo = (callee: string, port: number, callers: readonly string[]) =>
  callers.map((caller) => `${caller} → ${callee}:${port}`)

const services = ['gateway', 'auth', 'messaging', 'billing', 'notify', 'realtime']
const withDatabase = ['auth', 'messaging', 'billing', 'notify']
const mongoUsers = [...withDatabase, ...withDatabase.map((name) => `migrate-${name}`), 'backup']
const kafkaUsers = ['auth', 'messaging', 'billing', 'notify', 'realtime', 'topics']
const redisUsers = ['gateway', 'auth', 'messaging', 'realtime']
const s3Users = ['messaging', 'backup']

/** These connections are allowed between our pods, and between them and other namespaces. */
const everywhere = [
  ...edgesTo('web', ports.public, ['the ingress controller']),
  ...edgesTo('gateway', ports.public, ['the ingress controller']),
  ...edgesTo('realtime', ports.public, ['the ingress controller']),
  ...edgesTo('auth', ports.public, ['gateway']),
  ...edgesTo('messaging', ports.public, ['gateway']),
  ...edgesTo('billing', ports.public, ['gateway']),
  ...edgesTo('notify', ports.public, ['gateway']),
  ...edgesTo('auth', ports.internal, ['gateway', 'messaging', 'billing', 'notify', 'realtime']),
  ...edgesTo('messaging', ports.internal, ['gateway', 'auth', 'realtime']),
  ...edgesTo('billing', ports.internal, ['gateway', 'messaging']),
  // Prometheus reads the metrics at the internal port.
  ...services.flatMap((name) => edgesTo(name, ports.internal, ['the observability namespace'])),
  ...edgesTo('the observability namespace', ports.traces, services),
]

const engineNetwork = '10.0.0.0/8'
const internet = '0.0.0.0/0 except 10.0.0.0/8, 100.64.0.0/10, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16'

export const edges: Record<Overlay, readonly string[]> = {
  local: [
    ...everywhere,
    ...edgesTo('mongo', ports.mongo, [...mongoUsers, 'mongo-setup', 'seed']),
    ...edgesTo('kafka', ports.kafka, kafkaUsers),
    ...edgesTo('redis', ports.redis, redisUsers),
    ...edgesTo('s3', ports.ownS3, [...s3Users, 'create-bucket']),
    ...edgesTo('inbox', 1025, ['notify']),
    ...edgesTo('gateway', ports.public, ['seed']),
  ],
  production: [
    ...everywhere,
    ...edgesTo(engineNetwork, ports.mongo, mongoUsers),
    ...edgesTo(engineNetwork, ports.kafka, kafkaUsers),
    ...edgesTo(engineNetwork, ports.redis, redisUsers),
    ...edgesTo(engineNetwork, 587, ['notify']),
    // These are the SMS provider, the payment provider and the app stores.
    ...edgesTo(internet, 443, ['notify', 'billing']),
    ...edgesTo(engineNetwork, ports.s3, s3Users),
  ],
}
