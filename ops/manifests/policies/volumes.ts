import { containersOf, nameOf, ofKind, podOf } from '../manifest.ts'
import type { Manifest } from '../manifest.ts'
import type { Policy } from './policy.ts'
import { settingsOf } from './settings-of.ts'

const claimsOf = (manifest: Manifest): string[] =>
  (podOf(manifest)?.spec.volumes ?? []).flatMap(
    ({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [],
  )

export const volumes: readonly Policy[] = [
  {
    id: 'claims-are-made',
    says: 'Every volume claim a pod mounts is among the manifests, and none is made in vain.',
    check: (manifests) => {
      const made = ofKind(manifests, 'PersistentVolumeClaim').map(({ metadata }) => metadata.name)
      const used = new Set(manifests.flatMap(claimsOf))
      return [
        ...manifests.flatMap((manifest) =>
          claimsOf(manifest)
            .filter((name) => !made.includes(name))
            .map((name) => `${nameOf(manifest)} waits for the claim ${name}, which nothing makes`),
        ),
        ...made
          .filter((name) => !used.has(name))
          .map((name) => `The claim ${name} is made and nobody mounts it`),
      ]
    },
  },
  {
    id: 'backups-are-kept',
    says: 'Where backups go a claim is mounted, of a group that may write: they outlive the pod that made them.',
    check: (manifests) =>
      manifests.flatMap((manifest) => {
        const pod = podOf(manifest)?.spec
        const folder = settingsOf(manifests, pod)['BACKUP_FOLDER']
        if (!pod || folder === undefined) return []
        const mounted = containersOf(pod)
          .flatMap(({ volumeMounts = [] }) => volumeMounts)
          .find(({ mountPath }) => mountPath === folder)
        const volume = pod.volumes?.find(({ name }) => name === mounted?.name)
        return [
          ...(volume?.persistentVolumeClaim
            ? []
            : [`${nameOf(manifest)} writes backups to ${folder}, and no claim is mounted there`]),
          ...(pod.securityContext?.fsGroup
            ? []
            : [`${nameOf(manifest)} may not write to its volume: set an fsGroup`]),
        ]
      }),
  },
]
