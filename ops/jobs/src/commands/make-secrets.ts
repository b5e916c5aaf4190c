import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { loadSecrets } from '@sumlock/deployment/secrets'
import { setting } from '../config.ts'
import { runJob } from '../run-job.ts'
import { secretFiles } from '../secret-files.ts'

// Creates the secrets of a compose project once. Each program gets a folder that contains only its own secrets.
await runJob('secrets', async () => {
  const root = setting('SECRETS_FOLDER')
  const secrets = await loadSecrets(join(root, 'kept/secrets.json'))
  const names = { namespace: setting('SUMLOCK_NAMESPACE'), mongo: setting('MONGO'), redis: setting('REDIS') }
  const files = Object.entries(secretFiles(secrets, names))
  for (const [name, text] of files) await replaceFile(join(root, name), text)
  return `${files.length} files are written`
})

async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.part`, text)
  // Engines run as other users, so everybody may read the file. Only its program mounts the volume with it.
  await chmod(`${path}.part`, 0o444)
  await rename(`${path}.part`, path)
}
