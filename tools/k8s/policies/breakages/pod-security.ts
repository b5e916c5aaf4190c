import { container, find, pod, remove } from './parts.ts'
import type { Breakage } from './parts.ts'

export const podSecurityBreakages: readonly Breakage[] = [
  {
    policy: 'no-root',
    how: 'user 0',
    says: /auth may run as root/,
    broken: (m) => Object.assign(pod(m).securityContext ?? {}, { runAsUser: 0 }),
  },
  {
    policy: 'no-root',
    how: 'one container as user 0',
    says: /auth may run as root/,
    broken: (m) => Object.assign(container(m).securityContext ?? {}, { runAsUser: 0 }),
  },
  {
    policy: 'no-root',
    how: 'a Job without runAsNonRoot',
    says: /migrate-auth may run as root/,
    broken: (m) => delete pod(m, 'Job', 'migrate-auth').securityContext?.runAsNonRoot,
  },
  {
    policy: 'seccomp',
    how: 'an unconfined pod',
    says: /seccomp/,
    broken: (m) => Object.assign(pod(m).securityContext?.seccompProfile ?? {}, { type: 'Unconfined' }),
  },
  {
    policy: 'no-token',
    how: 'a pod that mounts a token',
    says: /auth lets a token/,
    broken: (m) => (pod(m).automountServiceAccountToken = true),
  },
  {
    policy: 'own-service-account',
    how: 'the default account',
    says: /ServiceAccount default/,
    broken: (m) => delete pod(m).serviceAccountName,
  },
  {
    policy: 'own-service-account',
    how: 'an account that mounts a token',
    says: /ServiceAccount auth/,
    broken: (m) => delete find(m, 'ServiceAccount', 'auth').automountServiceAccountToken,
  },
  {
    policy: 'no-host',
    how: "the node's network",
    says: /shares something/,
    broken: (m) => (pod(m).hostNetwork = true),
  },
  {
    policy: 'no-host',
    how: "the node's processes",
    says: /shares something/,
    broken: (m) => Object.assign(pod(m), { hostNetwork: false, hostPID: true }),
  },
  {
    policy: 'no-host',
    how: "the node's files",
    says: /shares something/,
    broken: (m) => pod(m).volumes?.push({ name: 'node', hostPath: { path: '/' } }),
  },
  {
    policy: 'no-service-links',
    how: 'service links',
    says: /enableServiceLinks/,
    broken: (m) => delete pod(m).enableServiceLinks,
  },
  {
    policy: 'no-escalation',
    how: 'allowPrivilegeEscalation left out',
    says: /can gain rights/,
    broken: (m) => delete container(m).securityContext?.allowPrivilegeEscalation,
  },
  {
    policy: 'no-capabilities',
    how: 'one capability added',
    says: /keeps capabilities/,
    broken: (m) => Object.assign(container(m).securityContext?.capabilities ?? {}, { add: ['NET_RAW'] }),
  },
  {
    policy: 'no-capabilities',
    how: 'nothing dropped',
    says: /keeps capabilities/,
    broken: (m) => delete container(m).securityContext?.capabilities,
  },
  {
    policy: 'read-only-root',
    how: 'a root that can be written',
    says: /can write to its image/,
    broken: (m) => Object.assign(container(m).securityContext ?? {}, { readOnlyRootFilesystem: false }),
  },
  {
    policy: 'pinned-image',
    how: 'latest',
    says: /auth:latest/,
    broken: (m) => (container(m).image = 'sumlock/auth:latest'),
  },
  {
    policy: 'pinned-image',
    how: 'no tag behind a port',
    says: /pin a version/,
    broken: (m) => (container(m).image = 'registry:5000/sumlock/auth'),
  },
  {
    policy: 'requests-and-limits',
    how: 'no memory limit',
    says: /lacks requests or limits/,
    broken: (m) => delete container(m).resources?.limits?.['memory'],
  },
  {
    policy: 'requests-and-limits',
    how: 'a Job without requests',
    says: /migrate-auth, container/,
    broken: (m) => delete container(m, 'Job', 'migrate-auth').resources?.requests,
  },
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
