import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { parse } from 'yaml'
import { allowedEdges } from './test/allowed-edges.ts'
import { edges } from './edges.ts'
import { nameOf, ofKind, podOf, selects, settingsOf, renderedManifests } from './test/manifest.ts'
import type { Manifest, Selector } from './test/manifest.ts'
import { overlays } from './overlays.ts'

interface ServiceSpec {
  selector: Record<string, string>
  ports: { name: string; port: number; targetPort: string | number }[]
}
interface IngressPath {
  path: string
  pathType: string
  backend: { service: { name: string; port: { name: string } } }
}
interface HttpRouteRule {
  matches: { path: { type: string; value: string } }[]
  backendRefs: { name: string; port: number }[]
}
interface NetworkPolicySpec {
  podSelector: Selector
  policyTypes: string[]
  ingress?: { from?: object[]; ports?: object[] }[]
  egress?: { to?: object[]; ports?: object[] }[]
}

const serviceSpecOf = ({ spec }: Manifest) => spec as unknown as ServiceSpec
const portOf =
  (wanted: string) =>
  (service: Manifest): number | undefined =>
    serviceSpecOf(service).ports.find(({ name }) => name === wanted)?.port
const ingressPaths = (manifests: readonly Manifest[]): IngressPath[] => {
  const [ingress] = ofKind(manifests, 'Ingress')
  const { rules } = ingress?.spec as unknown as { rules: { http: { paths: IngressPath[] } }[] }
  return rules.flatMap(({ http }) => http.paths)
}
const containerPortsOf = (manifest: Manifest) =>
  (podOf(manifest)?.spec.containers ?? []).flatMap(({ ports = [] }) => ports)

describe.each(overlays)('network of the %s overlay', (overlay) => {
  const manifests = renderedManifests(overlay)
  const services = ofKind(manifests, 'Service')

  it('denies every connection that no NetworkPolicy allows', () => {
    const [deny] = ofKind(manifests, 'NetworkPolicy').filter(
      ({ metadata }) => metadata.name === 'default-deny',
    )
    expect(deny?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
  })

  it('allows the connections of edges.ts and no other', () => {
    expect(allowedEdges(manifests).sort()).toEqual([...edges[overlay]].sort())
  })

  it('leads each Service to the pods of one workload, at ports that it has', () => {
    const offenders = services.filter((service) => {
      const { selector, ports } = serviceSpecOf(service)
      const workloads = manifests.filter((manifest) => {
        const labels = podOf(manifest)?.metadata.labels
        return labels && selects({ matchLabels: selector }, labels)
      })
      const containerPorts = workloads.flatMap(containerPortsOf)
      const isThere = ({ port, targetPort }: ServiceSpec['ports'][number]) =>
        containerPorts.some(({ name, containerPort }) => name === targetPort && containerPort === port)
      return workloads.length !== 1 || !ports.every(isThere)
    })
    expect(offenders.map(nameOf)).toEqual([])
  })

  it('uses the ports that PORT and INTERNAL_PORT set', () => {
    const offenders = manifests.filter((manifest) => {
      const { PORT, INTERNAL_PORT } = settingsOf(manifests, podOf(manifest)?.spec)
      const wanted: Record<string, string | undefined> = { http: PORT, internal: INTERNAL_PORT }
      return containerPortsOf(manifest).some(
        ({ name, containerPort }) => String(containerPort) !== (wanted[name] ?? String(containerPort)),
      )
    })
    expect(offenders.map(nameOf)).toEqual([])
  })

  it('probes ports that the container has', () => {
    const offenders = manifests.filter((manifest) =>
      podOf(manifest)?.spec.containers.some(({ ports = [], ...container }) =>
        [container.startupProbe, container.readinessProbe, container.livenessProbe]
          .flatMap((probe) => (probe?.httpGet ?? probe?.tcpSocket)?.port ?? [])
          .some((port) => !ports.some(({ name }) => name === port)),
      ),
    )
    expect(offenders.map(nameOf)).toEqual([])
  })

  it('routes /ws to realtime, /api and the contacts to the gateway and the rest to web, each at the public port', () => {
    const routes = ingressPaths(manifests).map(
      ({ path, backend: { service } }) => `${path} → ${service.name}:${service.port.name}`,
    )
    expect(routes).toEqual([
      '/ws → realtime-edge:http',
      '/api → gateway:http',
      '/contacts.json → gateway:http',
      '/ → web:http',
    ])
  })

  it('has the same routes in the HTTPRoute that may replace the Ingress', () => {
    const file = join(repoRoot, 'k8s/components/http-route/http-route.yaml')
    const route = parse(readFileSync(file, 'utf8')) as { spec: { rules: HttpRouteRule[] } }
    const ofRoute = route.spec.rules.flatMap(({ matches, backendRefs: [backend] }) =>
      matches.map(({ path: { type, value } }) => `${type} ${value} → ${backend?.name}:${backend?.port}`),
    )
    const ofIngress = ingressPaths(manifests).map(({ path, pathType, backend: { service } }) => {
      const [port] = services
        .filter(({ metadata }) => metadata.name === service.name)
        .map(portOf(service.port.name))
      return `${pathType.replace('Prefix', 'PathPrefix')} ${path} → ${service.name}:${port}`
    })
    expect(ofRoute).toEqual(ofIngress)
  })

  it('leads the Ingress to Services with an address, because some controllers refuse headless ones', () => {
    const names = ingressPaths(manifests).map(({ backend }) => backend.service.name)
    const headless = services
      .filter(({ spec }) => spec?.['clusterIP'] === 'None')
      .map(({ metadata }) => metadata.name)
    expect(headless).toContain('realtime')
    expect(names.filter((name) => headless.includes(name))).toEqual([])
  })

  it('has a Service and an open connection for every address in a setting', () => {
    const allowed = new Set(allowedEdges(manifests))
    const addresses = services.flatMap((service) =>
      serviceSpecOf(service).ports.map(({ port }) => `${service.metadata.name}:${port}`),
    )
    const offenders = manifests.flatMap((manifest) =>
      Object.entries(settingsOf(manifests, podOf(manifest)?.spec))
        .filter(([name]) => name.endsWith('_URL'))
        .filter(([, url]) => {
          const { host } = new URL(url)
          return !addresses.includes(host) || !allowed.has(`${manifest.metadata.name} → ${host}`)
        })
        .map(([name, url]) => `${nameOf(manifest)}: ${name}=${url}`),
    )
    expect(offenders).toEqual([])
  })
})

describe('allowedEdges', () => {
  const policySpec = (manifests: readonly Manifest[], name: string) =>
    manifests.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name)
      ?.spec as unknown as NetworkPolicySpec

  it.each<[string, string, (manifests: Manifest[]) => void]>([
    [
      'an ingress rule for all namespaces',
      'another namespace → web:8080',
      (m) => (policySpec(m, 'web').ingress![0]!.from = [{ namespaceSelector: {} }]),
    ],
    [
      'an ingress rule for all ports',
      'the ingress controller → web:1',
      (m) => delete policySpec(m, 'web').ingress![0]!.ports,
    ],
    [
      'an egress rule for all namespaces',
      'auth → another namespace:4318',
      (m) => (policySpec(m, 'observability').egress![0]!.to = [{ namespaceSelector: {} }]),
    ],
    [
      'an egress rule for all ports',
      'auth → the observability namespace:80',
      (m) => delete policySpec(m, 'observability').egress![0]!.ports,
    ],
    [
      'a pod that carries the label of another one',
      'billing → 10.0.0.0/8:6379',
      (m) => {
        const pod = podOf(ofKind(m, 'Deployment').find(({ metadata }) => metadata.name === 'billing')!)!
        pod.metadata.labels['app.kubernetes.io/name'] = 'auth'
      },
    ],
    [
      'an internet that includes the private networks',
      'notify → 0.0.0.0/0:443',
      (m) => (policySpec(m, 'to-sms-provider').egress![0]!.to = [{ ipBlock: { cidr: '0.0.0.0/0' } }]),
    ],
    [
      'missing policies for all pods',
      'web → another namespace:80',
      (m) => {
        policySpec(m, 'default-deny').policyTypes = []
        policySpec(m, 'names').policyTypes = []
      },
    ],
  ])('reports what is opened by %s: %s', (_, edge, open) => {
    const manifests = renderedManifests('production')
    expect(allowedEdges(manifests)).not.toContain(edge)
    open(manifests)
    expect(allowedEdges(manifests)).toContain(edge)
  })

  it('does not report a connection whose caller may not leave', () => {
    const manifests = renderedManifests('production')
    policySpec(manifests, 'messaging').egress = []
    expect(allowedEdges(manifests)).not.toContain('messaging → billing:8081')
  })
})
