import { ofKind } from '../manifest.ts'
import { containerPolicy, podPolicy } from './policy.ts'
import type { Policy } from './policy.ts'

export const podSecurity: readonly Policy[] = [
  podPolicy(
    'no-root',
    'Nothing runs as root.',
    ({ securityContext, ...pod }) =>
      (securityContext?.runAsNonRoot !== true ||
        !securityContext.runAsUser ||
        [...pod.containers, ...(pod.initContainers ?? [])].some(
          (one) => one.securityContext?.runAsUser === 0,
        )) &&
      'may run as root: set runAsNonRoot and a runAsUser above 0',
  ),
  podPolicy(
    'seccomp',
    'Every pod runs under the seccomp profile of its runtime.',
    ({ securityContext }) =>
      securityContext?.seccompProfile?.type !== 'RuntimeDefault' && 'has no seccompProfile RuntimeDefault',
  ),
  podPolicy(
    'no-token',
    'No pod gets a token for the API server: neither its ServiceAccount nor the pod mounts one.',
    (pod) =>
      pod.automountServiceAccountToken !== false &&
      'lets a token be mounted: automountServiceAccountToken: false',
  ),
  {
    id: 'own-service-account',
    says: 'Every pod names a ServiceAccount of ours, never the default one, and that mounts no token either.',
    check: (manifests) => {
      const safe = ofKind(manifests, 'ServiceAccount')
        .filter((account) => account.automountServiceAccountToken === false)
        .map(({ metadata }) => metadata.name)
      const rule = podPolicy(
        '',
        '',
        ({ serviceAccountName = 'default' }) =>
          (serviceAccountName === 'default' || !safe.includes(serviceAccountName)) &&
          `runs as ServiceAccount ${serviceAccountName}: name one of ours that mounts no token`,
      )
      return rule.check(manifests, 'local')
    },
  },
  podPolicy(
    'no-host',
    "No pod shares the node's network, processes or files.",
    ({ hostNetwork, hostPID, hostIPC, volumes = [] }) =>
      ([hostNetwork, hostPID, hostIPC].includes(true) ||
        volumes.some(({ hostPath }) => hostPath !== undefined)) &&
      'shares something with its node: no hostNetwork, hostPID, hostIPC, hostPath',
  ),
  podPolicy(
    'no-service-links',
    "No pod gets other services' addresses as environment variables it did not ask for.",
    ({ enableServiceLinks }) => enableServiceLinks !== false && 'lacks enableServiceLinks: false',
  ),
  containerPolicy(
    'no-escalation',
    'No container can get more rights than it started with.',
    ({ securityContext }) =>
      (securityContext?.allowPrivilegeEscalation !== false || securityContext.privileged === true) &&
      'can gain rights: allowPrivilegeEscalation: false, not privileged',
  ),
  containerPolicy(
    'no-capabilities',
    'Every container drops all capabilities and adds none.',
    ({ securityContext }) =>
      (!securityContext?.capabilities?.drop?.includes('ALL') ||
        (securityContext.capabilities.add ?? []).length > 0) &&
      'keeps capabilities: drop ALL, add none',
  ),
  containerPolicy(
    'read-only-root',
    "Every container's root file system is read-only.",
    ({ securityContext }) =>
      securityContext?.readOnlyRootFilesystem !== true &&
      'can write to its image: readOnlyRootFilesystem: true',
  ),
  containerPolicy(
    'pinned-image',
    'Every image has a version (or a digest), and that is not `latest`.',
    ({ image }) => {
      const tag = /:([^/:]+)$/.exec(image)?.[1]
      return (!tag || tag === 'latest') && `runs ${image}: pin a version`
    },
  ),
  containerPolicy(
    'requests-and-limits',
    'Every container asks for processor and memory, and has a limit for both.',
    ({ resources }) =>
      [resources?.requests, resources?.limits].some((amounts) => !amounts?.['cpu'] || !amounts['memory']) &&
      'lacks requests or limits of cpu and memory',
  ),
  {
    id: 'namespace-restricted',
    says: 'The namespace refuses pods that do not keep the Pod Security Standard "restricted".',
    check: (manifests) =>
      ofKind(manifests, 'Namespace')
        .concat(
          ofKind(manifests, 'Namespace').length === 0
            ? [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: '(none)' } }]
            : [],
        )
        .filter(({ metadata }) => metadata.labels?.['pod-security.kubernetes.io/enforce'] !== 'restricted')
        .map(({ metadata }) => `Namespace ${metadata.name} does not enforce "restricted"`),
  },
]
