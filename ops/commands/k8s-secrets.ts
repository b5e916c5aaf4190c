import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { failWith, progress } from '@sumlock/dev/product/terminal'
import { overlays } from '../manifests/overlays.ts'
import { writeSecretFile } from '../manifests/secrets/secret-file.ts'

// npm run k8s:secrets -- local|production [--folder FOLDER]
try {
  const { values, positionals } = parseArgs({
    options: { folder: { type: 'string', default: join(process.cwd(), 'k8s/secrets') } },
    allowPositionals: true,
  })
  const overlay = overlays.find((name) => name === positionals[0])
  if (!overlay) throw new Error(`Name an overlay: npm run k8s:secrets -- ${overlays.join('|')}`)
  const folder = resolve(values.folder)
  const file = await writeSecretFile(overlay, folder)
  progress(`Wrote ${file}. It holds secrets: keep it out of git.
Keep ${join(folder, overlay)}.json: new keys would invalidate all PINs and sessions.
Now: kubectl apply -f ${file}`)
} catch (error) {
  failWith(error)
}
