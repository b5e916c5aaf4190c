import type { Kubernetes } from '../kubernetes.ts'
import { namespace } from '../steps/try-step.ts'
import { hostOf } from './accounts.ts'

interface Refusal {
  service: string
  /** The service gets these settings instead of its own. */
  settings: Readonly<Record<string, string>>
  /** Its log must say this. */
  reason: string
}

const withoutTls = (setting: string) => `${setting}: needs TLS in production`
const withoutUser = (setting: string) => `${setting}: production needs a user of the service's own`

const refusals: readonly Refusal[] = [
  {
    service: 'auth',
    settings: { MONGO_URL: `mongodb://a:b@${hostOf('mongo')}/a?replicaSet=rs0` },
    reason: withoutTls('MONGO_URL'),
  },
  { service: 'realtime', settings: { KAFKA_TLS: 'off' }, reason: withoutTls('KAFKA_TLS') },
  {
    service: 'gateway',
    settings: { REDIS_URL: `redis://a:b@${hostOf('redis')}` },
    reason: withoutTls('REDIS_URL'),
  },
  {
    service: 'messaging',
    settings: { S3_ENDPOINT: `http://${hostOf('s3')}:443` },
    reason: withoutTls('S3_ENDPOINT'),
  },
  {
    service: 'billing',
    settings: { KAFKA_USERNAME: '', KAFKA_PASSWORD: '' },
    reason: withoutUser('KAFKA_USERNAME'),
  },
  { service: 'notify', settings: { KAFKA_USERNAME: 'admin' }, reason: withoutUser('KAFKA_USERNAME') },
  {
    service: 'auth',
    settings: { REDIS_URL: `rediss://${hostOf('redis')}` },
    reason: withoutUser('REDIS_URL'),
  },
  {
    // Without the private authority, no certificate of an engine is accepted.
    service: 'billing',
    settings: { NODE_EXTRA_CA_CERTS: '' },
    reason: 'certificate',
  },
]

/** Starts a replica of a service with each wrong setting. It must end, and its log must name the setting. */
export async function refuseWrongSettings(kubernetes: Kubernetes): Promise<number> {
  for (const refusal of refusals) {
    const log = await logOfFailedReplica(kubernetes, refusal)
    if (!log.includes(refusal.reason))
      throw new Error(
        `${refusal.service} with other ${Object.keys(refusal.settings).join(', ')} had to end with "${refusal.reason}". Its log ends:\n${log.slice(-1000)}`,
      )
  }
  return refusals.length
}

interface PodSpec {
  containers: [{ env?: { name: string }[] } & Record<string, unknown>]
}

const inNamespace = `--namespace=${namespace}`

/** Runs a pod of a Deployment with changed settings until it fails, and returns its log. */
export async function logOfFailedReplica(
  { apply, kubectl }: Kubernetes,
  { service, settings }: Pick<Refusal, 'service' | 'settings'>,
): Promise<string> {
  const name = `refused-${service}`
  const deployment = JSON.parse(
    await kubectl('get', 'deployment', service, inNamespace, '--output=json'),
  ) as { spec: { template: { spec: PodSpec } } }
  const { spec } = deployment.spec.template
  const [container] = spec.containers
  const changed = Object.entries(settings).map(([name, value]) => ({ name, value }))
  const own = (container.env ?? []).filter(({ name }) => !(name in settings))
  const labels = { 'app.kubernetes.io/name': service }
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels },
    spec: { ...spec, restartPolicy: 'Never', containers: [{ ...container, env: [...own, ...changed] }] },
  }
  await apply([pod])
  try {
    await kubectl('wait', inNamespace, `pod/${name}`, '--for=jsonpath={.status.phase}=Failed', '--timeout=2m')
    return await kubectl('logs', inNamespace, name)
  } finally {
    await kubectl('delete', 'pod', name, inNamespace)
  }
}
