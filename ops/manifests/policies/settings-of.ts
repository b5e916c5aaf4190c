import { ofKind } from '../manifest.ts'
import type { Manifest, PodSpec } from '../manifest.ts'

/** What the ConfigMaps give to the first container of a pod; later ones win, as in Kubernetes. */
export function settingsOf(manifests: readonly Manifest[], pod: PodSpec | undefined): Record<string, string> {
  const maps = new Map(ofKind(manifests, 'ConfigMap').map(({ metadata, data = {} }) => [metadata.name, data]))
  const names = (pod?.containers[0]?.envFrom ?? []).flatMap(({ configMapRef }) => configMapRef?.name ?? [])
  return Object.assign({}, ...names.map((name) => maps.get(name) ?? {})) as Record<string, string>
}
