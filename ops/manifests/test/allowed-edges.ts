import { ofKind, podOf, selects } from './manifest.ts'
import type { Labels, Manifest, Selector } from './manifest.ts'

interface IpBlock {
  cidr: string
  except?: string[]
}

interface Peer {
  podSelector?: Selector
  namespaceSelector?: Selector
  ipBlock?: IpBlock
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

interface Endpoint {
  name: string
  labels: Labels
  /** Labels of its namespace; null for ours. */
  namespace: Labels | null
  ports: number[]
}

/** Stands for all ports that no container has. */
const unusedPort = 1

const outside: readonly Endpoint[] = [
  outsideEndpoint('the ingress controller', { 'sumlock/ingress': 'yes' }),
  outsideEndpoint('the observability namespace', { 'sumlock/observability': 'yes' }),
  outsideEndpoint('another namespace', {}),
]

function outsideEndpoint(name: string, namespace: Labels): Endpoint {
  return { name, namespace, labels: {}, ports: [4318, 80] }
}

/**
 * Every connection the NetworkPolicies allow, as `gateway → auth:8080` or `auth → 10.0.0.0/8:27017`. A connection needs
 * an egress rule at its caller and an ingress rule at its callee. Name look-ups are left out.
 */
export function allowedEdges(manifests: readonly Manifest[]): string[] {
  const policies = ofKind(manifests, 'NetworkPolicy').map(({ spec }) => spec as unknown as NetworkPolicySpec)
  const inside = manifests.flatMap(endpointsOf)
  const all = [...inside, ...outside]
  const allows = (from: Endpoint, to: Endpoint, port: number) =>
    isAllowed(rulesFor(policies, from, 'Egress'), to, port) &&
    isAllowed(rulesFor(policies, to, 'Ingress'), from, port)
  const between = all.flatMap((from) =>
    all
      .filter((to) => from !== to && !(from.namespace && to.namespace))
      .flatMap((to) =>
        to.ports.filter((port) => allows(from, to, port)).map((port) => `${from.name} → ${to.name}:${port}`),
      ),
  )
  const toNetworks = inside.flatMap((from) => networksOf(from.name, rulesFor(policies, from, 'Egress')))
  return [...between, ...toNetworks]
}

function endpointsOf(manifest: Manifest): Endpoint[] {
  const pod = podOf(manifest)
  if (!pod) return []
  const ports = pod.spec.containers.flatMap((one) => one.ports ?? []).map((port) => port.containerPort)
  const { name } = manifest.metadata
  return [{ name, labels: pod.metadata.labels, namespace: null, ports: [...ports, unusedPort] }]
}

/** The rules that apply to an endpoint; null when no policy selects it, so that everything is allowed. */
function rulesFor(policies: readonly NetworkPolicySpec[], endpoint: Endpoint, type: 'Ingress' | 'Egress') {
  const applying = policies.filter(
    ({ podSelector, policyTypes }) => policyTypes.includes(type) && selects(podSelector, endpoint.labels),
  )
  if (endpoint.namespace !== null || applying.length === 0) return null
  return applying.flatMap((policy) => (type === 'Ingress' ? policy.ingress : policy.egress) ?? [])
}

function isAllowed(rules: readonly Rule[] | null, peer: Endpoint, port: number): boolean {
  if (rules === null) return true
  return rules.some(({ from, to, ports }) => {
    const peers = from ?? to
    return (
      (!peers || peers.some((one) => isPeer(one, peer))) &&
      (!ports || ports.some((one) => numberOf(one.port) === port))
    )
  })
}

function networksOf(name: string, rules: readonly Rule[] | null): string[] {
  if (rules === null) return [`${name} → everything`]
  return rules.flatMap(({ to = [], ports = [{ port: 'any' }] }) =>
    to.flatMap(({ ipBlock }) =>
      ipBlock ? ports.map(({ port }) => `${name} → ${networkOf(ipBlock)}:${port}`) : [],
    ),
  )
}

const networkOf = ({ cidr, except = [] }: IpBlock): string =>
  except.length === 0 ? cidr : `${cidr} except ${except.join(', ')}`

function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, endpoint: Endpoint): boolean {
  if (ipBlock) return false
  if (namespaceSelector) {
    if (endpoint.namespace === null || !selects(namespaceSelector, endpoint.namespace)) return false
  } else if (endpoint.namespace !== null) return false
  return selects(podSelector ?? {}, endpoint.labels)
}

function numberOf(port: number | string): number {
  if (typeof port === 'number') return port
  throw new Error(`A NetworkPolicy names its port ${port}: write the number.`)
}
