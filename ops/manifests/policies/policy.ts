import { containersOf, nameOf, podOf } from '../manifest.ts'
import type { Container, Manifest, PodSpec } from '../manifest.ts'
import type { Overlay } from '../overlays.ts'

/** A rule every rendered overlay keeps; answers with a sentence for each place that breaks it. */
export interface Policy {
  id: string
  says: string
  check: (manifests: readonly Manifest[], overlay: Overlay) => string[]
}

const forPods = (
  id: string,
  says: string,
  faultsOf: (pod: PodSpec, manifest: Manifest) => string[],
): Policy => ({
  id,
  says,
  check: (manifests) =>
    manifests.flatMap((manifest) => {
      const pod = podOf(manifest)
      return pod ? faultsOf(pod.spec, manifest) : []
    }),
})

/** A rule about each pod: the manifest that makes it, and its specification. */
export const podPolicy = (
  id: string,
  says: string,
  check: (pod: PodSpec, manifest: Manifest) => string | false | undefined,
): Policy =>
  forPods(id, says, (pod, manifest) => {
    const fault = check(pod, manifest)
    return fault ? [`${nameOf(manifest)} ${fault}`] : []
  })

/** A rule about each container, those that run before the others included. */
export const containerPolicy = (
  id: string,
  says: string,
  check: (container: Container, manifest: Manifest) => string | false | undefined,
): Policy =>
  forPods(id, says, (pod, manifest) =>
    containersOf(pod).flatMap((container) => {
      const fault = check(container, manifest)
      return fault ? [`${nameOf(manifest)}, container ${container.name}, ${fault}`] : []
    }),
  )
