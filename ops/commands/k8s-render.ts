import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { failWith, progress } from '@sumlock/dev/product/terminal'
import { renderedHash, writeState } from '../manifests/checked-state.ts'
import { overlays, renderedFile } from '../manifests/overlays.ts'
import { renderOverlay } from '../manifests/render-overlay.ts'

// npm run k8s:render: writes what kustomize makes of each overlay to k8s/rendered, where tests read it.
try {
  for (const overlay of overlays) {
    const file = renderedFile(overlay)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, await renderOverlay(overlay, progress))
  }
  writeState({ rendered: renderedHash() })
} catch (error) {
  failWith(error)
}
