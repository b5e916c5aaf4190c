import { podOf } from '../../manifest.ts'
import type { Labels, Manifest, Selector } from '../../manifest.ts'
import { at, container, data, find, remove } from './parts.ts'
import type { Breakage } from './parts.ts'

interface Peer {
  podSelector?: Selector
}

/** Takes one name out of the pods a selector names. */
function drop(selector: Selector | undefined, name: string): void {
  for (const expression of selector?.matchExpressions ?? [])
    expression.values = (expression.values ?? []).filter((value) => value !== name)
}

/** The spec of a NetworkPolicy, or a part of it. */
const specOf = (manifests: readonly Manifest[], name: string, ...path: (string | number)[]) =>
  at(find(manifests, 'NetworkPolicy', name), 'spec', ...path)

/** A NetworkPolicy for all its pods but one. */
const leaveOut = (manifests: readonly Manifest[], name: string, pod: string): void =>
  drop(specOf(manifests, name)['podSelector'] as Selector, pod)

const podLabels = (manifests: readonly Manifest[], kind: string, name: string): Labels =>
  podOf(find(manifests, kind, name))?.metadata.labels as Labels

/** Where the Ingress sends what comes to its first path. */
const firstBackend = (manifests: readonly Manifest[]) =>
  at(find(manifests, 'Ingress', 'calculator'), 'spec', 'rules', 0, 'http', 'paths', 0, 'backend', 'service')

export const networkBreakages: readonly Breakage[] = [
  {
    policy: 'default-deny',
    how: 'none',
    says: /denies everything/,
    broken: (m) => remove(m, find(m, 'NetworkPolicy', 'default-deny')),
  },
  {
    policy: 'default-deny',
    how: 'one direction',
    says: /denies everything/,
    broken: (m) => (specOf(m, 'default-deny')['policyTypes'] = ['Ingress']),
  },
  {
    policy: 'edges-of-the-design',
    how: 'the default lifted',
    says: /web → another namespace:80 is open/,
    broken: (m) =>
      remove(m, find(m, 'NetworkPolicy', 'default-deny')) && remove(m, find(m, 'NetworkPolicy', 'names')),
  },
  {
    policy: 'edges-of-the-design',
    how: 'one end closed',
    says: /messaging → billing:8081 is in the list and closed/,
    broken: (m) => (specOf(m, 'messaging')['egress'] = []),
  },
  {
    policy: 'edges-of-the-design',
    how: 'a door for every namespace',
    says: /another namespace → web:8080 is open/,
    broken: (m) => (specOf(m, 'web', 'ingress', 0)['from'] = [{ namespaceSelector: {} }]),
  },
  {
    policy: 'edges-of-the-design',
    how: 'all ports',
    says: /the ingress controller → web:1 is open/,
    broken: (m) => delete specOf(m, 'web', 'ingress', 0)['ports'],
  },
  {
    policy: 'edges-of-the-design',
    how: 'a pod with a label of others',
    says: /web → auth:8081 is open|gateway → auth:8081 is in the list and closed/,
    broken: (m) => (podLabels(m, 'Deployment', 'gateway')['app.kubernetes.io/name'] = 'door'),
  },
  {
    policy: 'edges-of-the-design',
    how: 'no way from the backup to its databases',
    says: /backup → 10\.0\.0\.0\/8:27017 is in the list and closed/,
    broken: (m) => leaveOut(m, 'to-mongo', 'backup'),
  },
  {
    policy: 'edges-of-the-design',
    how: 'a database that does not let the backup in',
    says: /backup → mongo:27017 is in the list and closed/,
    overlay: 'local',
    broken: (m) => {
      const [rule] = specOf(m, 'mongo')['ingress'] as { from: Peer[] }[]
      for (const { podSelector } of rule?.from ?? []) drop(podSelector, 'backup')
    },
  },
  {
    policy: 'edges-of-the-design',
    how: 'a CronJob with a label of others',
    says: /backup → auth:8081 is open|backup → 10\.0\.0\.0\/8:6379 is open/,
    broken: (m) => (podLabels(m, 'CronJob', 'backup')['app.kubernetes.io/name'] = 'messaging'),
  },
  {
    policy: 'edges-of-the-design',
    how: 'no way from the backup to the store of media',
    says: /backup → 10\.0\.0\.0\/8:443 is in the list and closed/,
    broken: (m) => leaveOut(m, 'to-s3', 'backup'),
  },
  {
    policy: 'edges-of-the-design',
    how: 'a service Prometheus cannot ask',
    says: /the observability namespace → notify:8081 is in the list and closed/,
    broken: (m) => leaveOut(m, 'observability', 'notify'),
  },
  {
    policy: 'edges-of-the-design',
    how: 'figures for every namespace',
    says: /another namespace → auth:8081 is open/,
    broken: (m) => (specOf(m, 'observability', 'ingress', 0)['from'] = [{ namespaceSelector: {} }]),
  },
  {
    policy: 'edges-of-the-design',
    how: 'the public doors for Prometheus',
    says: /the observability namespace → auth:8080 is open/,
    broken: (m) => delete specOf(m, 'observability', 'ingress', 0)['ports'],
  },
  {
    policy: 'edges-of-the-design',
    how: 'spans to every namespace',
    says: /auth → another namespace:4318 is open/,
    broken: (m) => (specOf(m, 'observability', 'egress', 0)['to'] = [{ namespaceSelector: {} }]),
  },
  {
    policy: 'edges-of-the-design',
    how: 'every port of the collector',
    says: /auth → the observability namespace:80 is open/,
    broken: (m) => delete specOf(m, 'observability', 'egress', 0)['ports'],
  },
  {
    policy: 'edges-of-the-design',
    how: 'no spans',
    says: /auth → the observability namespace:4318 is in the list and closed/,
    broken: (m) => (specOf(m, 'observability')['egress'] = []),
  },
  {
    policy: 'ports-agree',
    how: 'a Service of no pods',
    says: /Service auth selects the pods of 0/,
    broken: (m) =>
      (at(find(m, 'Service', 'auth'), 'spec')['selector'] = { 'app.kubernetes.io/name': 'author' }),
  },
  {
    policy: 'ports-agree',
    how: 'a Service of all pods',
    says: /Service auth selects the pods of \d\d/,
    broken: (m) =>
      (at(find(m, 'Service', 'auth'), 'spec')['selector'] = { 'app.kubernetes.io/part-of': 'sumlock' }),
  },
  {
    policy: 'ports-agree',
    how: 'a port the pod lacks',
    says: /port http: no container port/,
    broken: (m) => (at(find(m, 'Service', 'auth'), 'spec', 'ports', 0)['targetPort'] = 'https'),
  },
  {
    policy: 'ports-agree',
    how: 'a setting that says otherwise',
    says: /its port internal is not what/,
    broken: (m) => (data(m, 'every-service')['INTERNAL_PORT'] = '9000'),
  },
  {
    policy: 'ports-agree',
    how: 'a probe beside the ports',
    says: /probes port inner/,
    broken: (m) => Object.assign(container(m).readinessProbe?.httpGet ?? {}, { port: 'inner' }),
  },
  {
    policy: 'ingress-routes',
    how: '/ws to the gateway',
    says: /sends \/ws to gateway, not to realtime/,
    broken: (m) => (firstBackend(m)['name'] = 'gateway'),
  },
  {
    policy: 'ingress-routes',
    how: 'a way to the internal door',
    says: /sends \/metrics to auth, not to anybody/,
    broken: (m) =>
      (at(find(m, 'Ingress', 'calculator'), 'spec', 'rules', 0, 'http')['paths'] as object[]).push({
        path: '/metrics',
        pathType: 'Prefix',
        backend: { service: { name: 'auth', port: { name: 'internal' } } },
      }),
  },
  {
    policy: 'ingress-routes',
    how: 'a port that is not there',
    says: /port that Service does not have/,
    broken: (m) => (firstBackend(m)['port'] = { number: 80 }),
  },
  {
    policy: 'settings-lead-somewhere',
    how: 'an address without a Service',
    says: /no Service answers/,
    broken: (m) => (data(m, 'gateway')['AUTH_URL'] = 'http://author:8080'),
  },
  {
    policy: 'settings-lead-somewhere',
    how: 'an address nobody may go to',
    says: /billing → messaging:8081, which is closed/,
    broken: (m) => (data(m, 'billing')['AUTH_INTERNAL_URL'] = 'http://messaging:8081'),
  },
]
