import { writeFileSync } from 'node:fs'
import { failWith, progress } from '@sumlock/dev/product/terminal'
import { kubectlBinary } from '../manifests/go-programs.ts'
import { overlays, renderedFile, renderedHash, renderOverlay, writeState } from '../manifests/overlays.ts'

// npm run k8s:render writes the output of kustomize for each overlay to k8s/rendered, where tests read it.
try {
  const kubectl = await kubectlBinary(progress)
  for (const overlay of overlays) writeFileSync(renderedFile(overlay), await renderOverlay(overlay, kubectl))
  writeState({ rendered: renderedHash() })
} catch (error) {
  failWith(error)
}
