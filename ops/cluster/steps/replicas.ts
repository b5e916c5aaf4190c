import { serviceNames } from '@sumlock/deployment/service-environment'
import type { Kubernetes } from '../kubernetes.ts'
import type { PodState } from '../trouble.ts'
import { namespace } from './try-step.ts'

type Pod = PodState & { metadata: { uid: string; labels?: Readonly<Record<string, string>> } }

/** The Deployments of all services, as kubectl takes them. */
export const everyService = serviceNames.map((name) => `deployment/${name}`)

const inNamespace = `--namespace=${namespace}`

/** Lists the pods of a workload, or all. */
export const podsOf = ({ list }: Kubernetes, workload?: string): Promise<Pod[]> =>
  list(
    'pods',
    inNamespace,
    ...(workload === undefined ? [] : [`--selector=app.kubernetes.io/name=${workload}`]),
  )

export const isReady = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  (status?.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True')

/** Sets the number of replicas and waits until they are ready. */
export async function scale(
  kubernetes: Kubernetes,
  deployments: readonly string[],
  replicas: number,
): Promise<void> {
  const names = deployments.map((name) => `deployment/${name}`)
  await kubernetes.kubectl('scale', inNamespace, `--replicas=${replicas}`, ...names)
  await rolledOut(kubernetes, names)
}

/** Waits until these workloads, `kind/name`, consist of ready pods of their newest version. */
export async function rolledOut(kubernetes: Kubernetes, workloads: readonly string[]): Promise<void> {
  for (const workload of workloads)
    await kubernetes.watched({ namespace }, (_, kubectl) =>
      kubectl('rollout', 'status', inNamespace, workload, '--timeout=5m'),
    )
}

/** Kills one pod of a workload without its end of grace, and waits until as many pods are ready as before. */
export async function killOne(kubernetes: Kubernetes, workload: string): Promise<void> {
  const before = (await podsOf(kubernetes, workload)).filter(isReady)
  const [victim] = before
  if (!victim) throw new Error(`${workload} has no ready pod that could be killed.`)
  const { name, uid } = victim.metadata
  await kubernetes.kubectl('delete', 'pod', name, inNamespace, '--grace-period=0', '--force')
  await kubernetes.waitFor(
    `${before.length} ready pods of ${workload} without ${name}`,
    async () => {
      const pods = await podsOf(kubernetes, workload)
      return pods.filter((pod) => isReady(pod) && pod.metadata.uid !== uid).length >= before.length
    },
    { namespace },
  )
}
