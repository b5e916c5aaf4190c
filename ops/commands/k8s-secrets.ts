import { join, relative } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { overlays } from '../manifests/overlays.ts'
import { writeSecretFile } from '../manifests/secrets/secret-file.ts'

// npm run k8s:secrets -- local|production
const overlay = overlays.find((name) => name === process.argv[2])
if (!overlay) {
  process.stderr.write(`Name an overlay: npm run k8s:secrets -- ${overlays.join('|')}\n`)
  process.exit(1)
}
try {
  const file = relative(repoRoot, await writeSecretFile(overlay, join(repoRoot, 'k8s/secrets')))
  process.stdout.write(
    `Wrote ${file}, which git ignores. Keep k8s/secrets/${overlay}.json: new keys would invalidate all PINs and sessions.\nNow: kubectl apply -f ${file}\n`,
  )
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
