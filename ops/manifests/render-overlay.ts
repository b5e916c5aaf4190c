import type { Progress } from '@sumlock/dev/processes/progress'
import { run } from '@sumlock/dev/processes/run'
import { kustomizeBinary } from './go-programs.ts'
import { overlayFolder } from './overlays.ts'
import type { Overlay } from './overlays.ts'
import { kustomizeVersion } from './versions.ts'

/** The text of an overlay's committed render, made by kustomize now. */
export async function renderOverlay(overlay: Overlay, progress: Progress): Promise<string> {
  const text = await run(await kustomizeBinary(progress), ['build', overlayFolder(overlay)])
  return `# Written by npm run k8s:render with kustomize ${kustomizeVersion}. Change k8s/overlays/${overlay} instead.\n${text}`
}
