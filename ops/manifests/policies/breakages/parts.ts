import { ofKind, podOf } from '../../manifest.ts'
import type { Overlay } from '../../overlays.ts'
import type { Container, Manifest, PodSpec } from '../../manifest.ts'

/** A way to break a good overlay: which policy must see it, and words of what it must say. */
export interface Breakage {
  policy: string
  how: string
  says: RegExp
  /** Whose overlay is broken; production's by default. */
  overlay?: Overlay
  broken: (manifests: Manifest[]) => unknown
}

export const find = (manifests: readonly Manifest[], kind: string, name: string): Manifest => {
  const found = ofKind(manifests, kind).find(({ metadata }) => metadata.name.startsWith(name))
  if (!found) throw new Error(`There is no ${kind} ${name} to break. Correct the test.`)
  return found
}

export const pod = (manifests: readonly Manifest[], kind = 'Deployment', name = 'auth'): PodSpec =>
  podOf(find(manifests, kind, name))?.spec as PodSpec
export const container = (manifests: readonly Manifest[], kind?: string, name?: string): Container =>
  pod(manifests, kind, name).containers[0] as Container
export const remove = (manifests: Manifest[], manifest: Manifest) =>
  manifests.splice(manifests.indexOf(manifest), 1)
/** A part of a manifest by its path, to be changed. */
export const at = (manifest: Manifest, ...path: (string | number)[]) =>
  path.reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], manifest) as Record<
    string,
    unknown
  >
export const data = (manifests: readonly Manifest[], name: string): Record<string, string> =>
  find(manifests, 'ConfigMap', name).data as Record<string, string>
