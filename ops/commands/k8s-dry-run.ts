import { createSecrets } from '@sumlock/deployment/secrets'
import type { Progress } from '@sumlock/dev/processes/progress'
import { createApi } from '../manifests/dry-run/api.ts'
import { buildControlPlane } from '../manifests/dry-run/build.ts'
import { differences, kustomizeBuild } from '../manifests/dry-run/compare.ts'
import { startControlPlane } from '../manifests/dry-run/control-plane.ts'
import { podsOf } from '../manifests/dry-run/pods.ts'
import { nameOf, ofKind } from '../manifests/manifest.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { overlayFolder, overlays, renderOverlay } from '../manifests/overlays.ts'
import { secretManifests } from '../manifests/secrets/secret-manifests.ts'
import { kubernetesVersion } from '../manifests/versions.ts'

// npm run k8s:dry-run: asks a real API server whether it would take both overlays, and real kustomize whether it renders
// what our own renderer does. Nothing of it touches a cluster.
const say: Progress = (line) => void process.stdout.write(`  ${line}\n`)
const binaries = await buildControlPlane(say)
const controlPlane = await startControlPlane(binaries)
const api = createApi(controlPlane)
let refused = 0

async function tryAll(title: string, manifests: readonly Manifest[], dryRun = true): Promise<void> {
  const refusals: string[] = []
  for (const manifest of manifests) {
    const reason = await api.apply(manifest, { dryRun })
    if (reason) refusals.push(`${nameOf(manifest)}: ${reason}`)
  }
  refused += refusals.length
  say(`${title}: ${manifests.length - refusals.length} of ${manifests.length} accepted`)
  for (const refusal of refusals) say(`  ✗ ${refusal}`)
}

try {
  say(`kube-apiserver ${kubernetesVersion} answers`)
  for (const overlay of overlays) {
    const manifests = renderOverlay(overlay)
    const unlike = differences(manifests, await kustomizeBuild(binaries.kustomize, overlayFolder(overlay)))
    refused += unlike.length
    say(
      `${overlay}: kustomize renders ${unlike.length === 0 ? 'the same' : `otherwise: ${unlike.join(', ')}`}`,
    )
    // What the others stand in must be there, also when they are only tried.
    const ground = [...ofKind(manifests, 'Namespace'), ...ofKind(manifests, 'ServiceAccount')]
    for (const manifest of ground) {
      const reason = await api.apply(manifest, { dryRun: false })
      if (reason) throw new Error(`${nameOf(manifest)} cannot be made: ${reason}`)
    }
    await tryAll(`${overlay}, manifests`, manifests)
    await tryAll(`${overlay}, secrets`, secretManifests(overlay, createSecrets()))
    await tryAll(`${overlay}, their pods under "restricted"`, podsOf(manifests))
  }
  const [pod] = podsOf(renderOverlay('production'))
  const asRoot = structuredClone(pod) as Manifest & { spec: { securityContext: object } }
  Object.assign(asRoot.spec.securityContext, { runAsNonRoot: false })
  const refusal = await api.apply(asRoot)
  if (!refusal?.includes('restricted'))
    throw new Error('A pod that may run as root was accepted: this run says nothing.')
  say('and a pod that may run as root is refused, as it should be')
} finally {
  api.close()
  await controlPlane.stop()
}
process.exit(refused > 0 ? 1 : 0)
