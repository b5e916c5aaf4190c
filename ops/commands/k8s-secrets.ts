import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { failWith, progress } from '@sumlock/dev/product/terminal'
import { overlays } from '../manifests/overlays.ts'
import { writeSecretFile } from '../manifests/secrets/secret-file.ts'

// npm run k8s:secrets -- local|production
try {
  const overlay = overlays.find((name) => name === process.argv[2])
  if (!overlay) throw new Error(`Name an overlay: npm run k8s:secrets -- ${overlays.join('|')}`)
  const file = await writeSecretFile(overlay, join(repoRoot, 'k8s/secrets'))
  progress(`Wrote ${file}, which git ignores.
Keep k8s/secrets/${overlay}.json: new keys would invalidate all PINs and sessions.
Now: kubectl apply -f ${file}`)
} catch (error) {
  failWith(error)
}
