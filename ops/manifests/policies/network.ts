import { edges } from '../edges.ts'
import { nameOf, ofKind, podOf, selects } from '../manifest.ts'
import type { Container, Manifest, Selector } from '../manifest.ts'
import { allowedEdges } from './allowed-edges.ts'
import type { Policy } from './policy.ts'
import { settingsOf } from './settings-of.ts'

interface ServicePort {
  name: string
  port: number
  targetPort: string | number
}
interface ServiceSpec {
  selector: Record<string, string>
  ports: ServicePort[]
}
interface Backend {
  service: { name: string; port: { name?: string; number?: number } }
}
interface IngressSpec {
  rules: { http: { paths: { path: string; pathType: string; backend: Backend }[] } }[]
}

const servicesOf = (manifests: readonly Manifest[]) =>
  ofKind(manifests, 'Service').map((service) => ({ service, spec: service.spec as unknown as ServiceSpec }))

const portsOf = (containers: readonly Container[] = []) => containers.flatMap(({ ports = [] }) => ports)

const wantedRoutes: Record<string, string> = { '/ws': 'realtime', '/api': 'gateway', '/': 'web' }

export const network: readonly Policy[] = [
  {
    id: 'default-deny',
    says: 'A NetworkPolicy for all pods denies what no other one allows, in both directions.',
    check: (manifests) => {
      const denies = ofKind(manifests, 'NetworkPolicy').some(({ spec = {} }) => {
        const { podSelector, policyTypes, ingress, egress } = spec as { podSelector: Selector } & Record<
          string,
          unknown
        >
        const both = ['Ingress', 'Egress'].every((type) => (policyTypes as string[]).includes(type))
        return both && Object.keys(podSelector).length === 0 && !ingress && !egress
      })
      return denies ? [] : ['There is no NetworkPolicy that denies everything by default']
    },
  },
  {
    id: 'edges-of-the-design',
    says: "The NetworkPolicies let through the connections of the design's list, and no other.",
    check: (manifests, overlay) => {
      const allowed = new Set(allowedEdges(manifests))
      const wanted = new Set(edges[overlay])
      return [
        ...[...allowed]
          .filter((edge) => !wanted.has(edge))
          .map((edge) => `${edge} is open and not in the list`),
        ...[...wanted]
          .filter((edge) => !allowed.has(edge))
          .map((edge) => `${edge} is in the list and closed`),
      ]
    },
  },
  {
    id: 'ports-agree',
    says: 'Every Service selects pods of one kind, and leads to ports they have and their settings name.',
    check: (manifests) => [
      ...servicesOf(manifests).flatMap(({ service, spec }) => {
        const behind = manifests.filter((manifest) => {
          const labels = podOf(manifest)?.metadata.labels
          return labels && selects({ matchLabels: spec.selector }, labels)
        })
        if (behind.length !== 1)
          return [`${nameOf(service)} selects the pods of ${behind.length} manifests: one`]
        const ports = portsOf(podOf(behind[0] as Manifest)?.spec.containers)
        return spec.ports
          .filter(
            ({ port, targetPort }) =>
              !ports.some((one) => one.name === targetPort && one.containerPort === port),
          )
          .map(({ name }) => `${nameOf(service)}, port ${name}: no container port of that name and number`)
      }),
      ...manifests.flatMap((manifest) => {
        const pod = podOf(manifest)?.spec
        const settings = settingsOf(manifests, pod)
        const ports = portsOf(pod?.containers)
        const said = { http: settings['PORT'], internal: settings['INTERNAL_PORT'] }
        return ports
          .filter(
            ({ name, containerPort }) =>
              String(containerPort) !== (said[name as 'http'] ?? String(containerPort)),
          )
          .map(({ name }) => `${nameOf(manifest)}: its port ${name} is not what its settings say`)
      }),
      ...manifests.flatMap((manifest) =>
        (podOf(manifest)?.spec.containers ?? []).flatMap(
          ({ ports = [], startupProbe, readinessProbe, livenessProbe }) =>
            [startupProbe, readinessProbe, livenessProbe]
              .map((probe) => (probe?.httpGet ?? probe?.tcpSocket)?.port)
              .filter((port) => port !== undefined && !ports.some(({ name }) => name === port))
              .map((port) => `${nameOf(manifest)} probes port ${port}, which it does not have`),
        ),
      ),
    ],
  },
  {
    id: 'ingress-routes',
    says: '`/ws` goes straight to realtime, `/api` to the gateway, the rest to web, each by a port that Service has.',
    check: (manifests) =>
      ofKind(manifests, 'Ingress').flatMap((ingress) => {
        const paths = (ingress.spec as unknown as IngressSpec).rules.flatMap(({ http }) => http.paths)
        const found = Object.fromEntries(paths.map(({ path, backend }) => [path, backend.service.name]))
        const wrong = Object.entries({ ...found, ...wantedRoutes })
          .filter(([path, name]) => found[path] !== name || wantedRoutes[path] !== name)
          .map(
            ([path]) =>
              `${nameOf(ingress)} sends ${path} to ${found[path] ?? 'nobody'}, not to ${wantedRoutes[path] ?? 'anybody'}`,
          )
        const dead = paths
          .filter(({ backend: { service } }) => {
            const target = servicesOf(manifests).find((one) => one.service.metadata.name === service.name)
            return !target?.spec.ports.some(
              ({ name, port }) => name === service.port.name || port === service.port.number,
            )
          })
          .map(({ path }) => `${nameOf(ingress)} sends ${path} to a port that Service does not have`)
        return [...wrong, ...dead]
      }),
  },
  {
    id: 'settings-lead-somewhere',
    says: 'Every address in a setting is a port of a Service of ours, and the NetworkPolicies let its reader go there.',
    check: (manifests) => {
      const allowed = new Set(allowedEdges(manifests))
      const services = servicesOf(manifests)
      return manifests.flatMap((manifest) => {
        const settings = settingsOf(manifests, podOf(manifest)?.spec)
        const urls = Object.entries(settings).filter(([name]) => name.endsWith('_URL'))
        return urls.flatMap(([name, text]) => {
          const { hostname, port } = new URL(text)
          const isThere = services.some(
            ({ service, spec }) =>
              service.metadata.name === hostname && spec.ports.some((one) => String(one.port) === port),
          )
          if (!isThere) return [`${nameOf(manifest)}: ${name} is ${text}, and no Service answers there`]
          // A migration reads the settings of its service and calls nobody.
          if (manifest.kind === 'Job' && manifest.metadata.name.startsWith('migrate-')) return []
          const edge = `${manifest.metadata.name} → ${hostname}:${port}`
          return allowed.has(edge)
            ? []
            : [`${nameOf(manifest)}: ${name} leads along ${edge}, which is closed`]
        })
      })
    },
  },
]
