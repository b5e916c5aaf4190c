import { podOf } from '../manifest.ts'
import type { Manifest } from '../manifest.ts'

interface Claim {
  metadata: { name: string }
}

/** The Pod a controller would make of each Deployment, StatefulSet, Job and CronJob: only it meets the namespace's standard. */
export function podsOf(manifests: readonly Manifest[]): Manifest[] {
  return manifests.flatMap((manifest) => {
    const template = podOf(manifest)
    if (!template) return []
    const claims = ((manifest.spec?.['volumeClaimTemplates'] ?? []) as Claim[]).map(({ metadata }) => ({
      name: metadata.name,
      persistentVolumeClaim: { claimName: `${metadata.name}-${manifest.metadata.name}-0` },
    }))
    const { kind, metadata } = manifest
    const { volumes = [] } = template.spec
    return [
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: `${kind.toLowerCase()}-${metadata.name}`,
          ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
          labels: template.metadata.labels,
        },
        spec: { ...template.spec, volumes: [...volumes, ...claims] },
      },
    ]
  })
}
