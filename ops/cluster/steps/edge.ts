import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kubernetes } from '../kubernetes.ts'
import type { Forward } from '../kubernetes.ts'

/** The overlay `local` accepts requests of pages with this origin. */
export const publicOrigin = 'http://localhost:8080'

/** Pods of the cluster reach the edge at this address. */
export const edgeInside = 'http://edge.sumlock-edge'

/** A person sends an address of their own here, because all come through one forwarded port and limits are per address. */
export const addressHeader = 'x-try-address'

export const edgeNamespace = 'sumlock-edge'

/** Starts an nginx that stands for the ingress controller, and returns a forwarded port to it. */
export async function openEdge(kubernetes: Kubernetes): Promise<Forward> {
  await applyFile(kubernetes, join(import.meta.dirname, 'edge.yaml'))
  const status = ['rollout', 'status', 'deployment/edge', `--namespace=${edgeNamespace}`, '--timeout=2m']
  await kubernetes.watched({ namespace: edgeNamespace }, (_, kubectl) => kubectl(...status))
  return kubernetes.forward({ namespace: edgeNamespace, target: 'service/edge', port: 80 })
}

/** Applies a file in which DNS_ADDRESS stands for the address of the cluster's DNS. */
export async function applyFile({ apply, kubectl }: Kubernetes, file: string): Promise<void> {
  const dns = ['service', 'kube-dns', '--namespace=kube-system', '--output=jsonpath={.spec.clusterIP}']
  const address = await kubectl('get', ...dns)
  await apply((await readFile(file, 'utf8')).replaceAll('DNS_ADDRESS', address))
}
