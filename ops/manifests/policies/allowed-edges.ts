import { ofKind, podOf, selects } from '../manifest.ts'
import type { Labels, Manifest, Selector } from '../manifest.ts'

interface Peer {
  podSelector?: Selector
  namespaceSelector?: Selector
  ipBlock?: { cidr: string }
}

interface Rule {
  from?: Peer[]
  to?: Peer[]
  ports?: { port: number | string; protocol?: string }[]
}

interface NetworkPolicySpec {
  podSelector: Selector
  policyTypes: string[]
  ingress?: Rule[]
  egress?: Rule[]
}

interface Place {
  name: string
  labels: Labels
  /** Labels of its namespace; null for ours. */
  namespace: Labels | null
  ports: number[]
}

/** At each place outside: the collector's, and one more, which stands for all. */
const outsidePorts = [4318, 80]

/** Three places outside: two that have a part here, and one like any other, which has none. */
const outside: readonly Place[] = [
  placeOutside('the ingress controller', { 'sumlock/ingress': 'yes' }),
  placeOutside('the observability namespace', { 'sumlock/observability': 'yes' }),
  placeOutside('another namespace', {}),
]

function placeOutside(name: string, namespace: Labels): Place {
  return { name, namespace, labels: {}, ports: outsidePorts }
}

/**
 * Every connection the NetworkPolicies let through, as Kubernetes reads them: out of the one and into the other. Name
 * look-ups are left out, everything else is in: `gateway → auth:8080`, `auth → 10.0.0.0/8:27017`.
 */
export function allowedEdges(manifests: readonly Manifest[]): string[] {
  const policies = ofKind(manifests, 'NetworkPolicy').map(({ spec }) => spec as unknown as NetworkPolicySpec)
  const inside = manifests.flatMap((manifest): Place[] => {
    const pod = podOf(manifest)
    if (!pod) return []
    const ports = pod.spec.containers
      .flatMap((one) => one.ports ?? [])
      .map(({ containerPort }) => containerPort)
    // A port nobody listens on stands for a rule that is open to all.
    return [
      { name: manifest.metadata.name, labels: pod.metadata.labels, namespace: null, ports: [...ports, 1] },
    ]
  })
  const rulesFor = (place: Place, type: 'Ingress' | 'Egress') => {
    const applying = policies.filter(
      ({ podSelector, policyTypes }) => policyTypes.includes(type) && selects(podSelector, place.labels),
    )
    if (place.namespace !== null || applying.length === 0) return 'everything'
    return applying.flatMap((policy) => (type === 'Ingress' ? policy.ingress : policy.egress) ?? [])
  }
  const lets = (rules: Rule[] | 'everything', peer: Place, port: number) =>
    rules === 'everything' ||
    rules.some(({ from, to, ports }) => {
      const peers = from ?? to
      return (
        (!peers || peers.some((one) => isPeer(one, peer))) &&
        (!ports || ports.some((one) => numberOf(one.port) === port))
      )
    })
  const between = [...inside, ...outside].flatMap((from) =>
    [...inside, ...outside].flatMap((to) => {
      if (from === to || (from.namespace && to.namespace)) return []
      return to.ports
        .filter(
          (port) => lets(rulesFor(from, 'Egress'), to, port) && lets(rulesFor(to, 'Ingress'), from, port),
        )
        .map((port) => `${from.name} → ${to.name}:${port}`)
    }),
  )
  const toNetworks = inside.flatMap((from) => {
    const rules = rulesFor(from, 'Egress')
    if (rules === 'everything') return [`${from.name} → everything`]
    return rules.flatMap(({ to = [], ports = [{ port: 'any' }] }) =>
      to.flatMap(({ ipBlock }) =>
        ipBlock ? ports.map(({ port }) => `${from.name} → ${ipBlock.cidr}:${port}`) : [],
      ),
    )
  })
  return [...between, ...toNetworks]
}

function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, place: Place): boolean {
  if (ipBlock) return false
  if (namespaceSelector) {
    if (place.namespace === null || !selects(namespaceSelector, place.namespace)) return false
  } else if (place.namespace !== null) return false
  return selects(podSelector ?? {}, place.labels)
}

function numberOf(port: number | string): number {
  if (typeof port === 'number') return port
  throw new Error(`A NetworkPolicy names its port ${port}: write the number, so that a reader sees it.`)
}
