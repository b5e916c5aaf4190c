import { container, find, pod, remove } from './parts.ts'
import type { Breakage } from './parts.ts'

/** One of each kind that makes pods in production: no policy about pods may overlook a kind. */
const workloads = [
  ['Deployment', 'auth'],
  ['Job', 'migrate-auth'],
  ['CronJob', 'backup'],
] as const

/** What can be wrong with every pod, broken in the one that this manifest makes. */
const ofPod = (kind: string, name: string): Omit<Breakage, 'overlay'>[] => [
  {
    policy: 'no-root',
    how: 'user 0',
    says: /may run as root/,
    broken: (m) => Object.assign(pod(m, kind, name).securityContext ?? {}, { runAsUser: 0 }),
  },
  {
    policy: 'no-root',
    how: 'one container as user 0',
    says: /may run as root/,
    broken: (m) => Object.assign(container(m, kind, name).securityContext ?? {}, { runAsUser: 0 }),
  },
  {
    policy: 'no-root',
    how: 'no runAsNonRoot',
    says: /may run as root/,
    broken: (m) => delete pod(m, kind, name).securityContext?.runAsNonRoot,
  },
  {
    policy: 'seccomp',
    how: 'an unconfined pod',
    says: /seccomp/,
    broken: (m) =>
      Object.assign(pod(m, kind, name).securityContext?.seccompProfile ?? {}, { type: 'Unconfined' }),
  },
  {
    policy: 'no-token',
    how: 'a pod that mounts a token',
    says: /lets a token/,
    broken: (m) => (pod(m, kind, name).automountServiceAccountToken = true),
  },
  {
    policy: 'own-service-account',
    how: 'the default account',
    says: /runs as ServiceAccount default/,
    broken: (m) => delete pod(m, kind, name).serviceAccountName,
  },
  {
    policy: 'own-service-account',
    how: 'an account that mounts a token',
    says: /runs as ServiceAccount/,
    broken: (m) =>
      delete find(m, 'ServiceAccount', pod(m, kind, name).serviceAccountName ?? '')
        .automountServiceAccountToken,
  },
  {
    policy: 'no-host',
    how: "the node's network",
    says: /shares something/,
    broken: (m) => (pod(m, kind, name).hostNetwork = true),
  },
  {
    policy: 'no-host',
    how: "the node's processes",
    says: /shares something/,
    broken: (m) => Object.assign(pod(m, kind, name), { hostNetwork: false, hostPID: true }),
  },
  {
    policy: 'no-host',
    how: "the node's files",
    says: /shares something/,
    broken: (m) => pod(m, kind, name).volumes?.push({ name: 'node', hostPath: { path: '/' } }),
  },
  {
    policy: 'no-service-links',
    how: 'service links',
    says: /enableServiceLinks/,
    broken: (m) => delete pod(m, kind, name).enableServiceLinks,
  },
  {
    policy: 'no-escalation',
    how: 'allowPrivilegeEscalation left out',
    says: /can gain rights/,
    broken: (m) => delete container(m, kind, name).securityContext?.allowPrivilegeEscalation,
  },
  {
    policy: 'no-capabilities',
    how: 'one capability added',
    says: /keeps capabilities/,
    broken: (m) =>
      Object.assign(container(m, kind, name).securityContext?.capabilities ?? {}, { add: ['NET_RAW'] }),
  },
  {
    policy: 'no-capabilities',
    how: 'nothing dropped',
    says: /keeps capabilities/,
    broken: (m) => delete container(m, kind, name).securityContext?.capabilities,
  },
  {
    policy: 'read-only-root',
    how: 'a root that can be written',
    says: /can write to its image/,
    broken: (m) =>
      Object.assign(container(m, kind, name).securityContext ?? {}, { readOnlyRootFilesystem: false }),
  },
  {
    policy: 'pinned-image',
    how: 'latest',
    says: /pin a version/,
    broken: (m) => (container(m, kind, name).image = 'sumlock/auth:latest'),
  },
  {
    policy: 'pinned-image',
    how: 'no tag behind a port',
    says: /pin a version/,
    broken: (m) => (container(m, kind, name).image = 'registry:5000/sumlock/auth'),
  },
  {
    policy: 'requests-and-limits',
    how: 'no memory limit',
    says: /lacks requests or limits/,
    broken: (m) => delete container(m, kind, name).resources?.limits?.['memory'],
  },
  {
    policy: 'requests-and-limits',
    how: 'no requests',
    says: /lacks requests or limits/,
    broken: (m) => delete container(m, kind, name).resources?.requests,
  },
  {
    policy: 'engines-as-named',
    how: 'an image of others',
    says: /which engine-versions.ts does not name/,
    broken: (m) => (container(m, kind, name).image = 'busybox:1.37.0'),
  },
]

export const podSecurityBreakages: readonly Breakage[] = [
  ...workloads.flatMap(([kind, name]) =>
    ofPod(kind, name).map((breakage) => ({
      ...breakage,
      how: `${kind}: ${breakage.how}`,
      says: new RegExp(`^${kind} ${name}\\b.*${breakage.says.source}`),
    })),
  ),
  {
    policy: 'namespace-restricted',
    how: 'a baseline namespace',
    says: /does not enforce/,
    broken: (m) =>
      Object.assign(find(m, 'Namespace', 'sumlock').metadata.labels ?? {}, {
        'pod-security.kubernetes.io/enforce': 'baseline',
      }),
  },
  {
    policy: 'namespace-restricted',
    how: 'no namespace',
    says: /does not enforce/,
    broken: (m) => remove(m, find(m, 'Namespace', 'sumlock')),
  },
]
