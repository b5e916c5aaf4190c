import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { loadSecrets } from '@sumlock/deployment/secrets'
import { setting } from '../config.ts'
import { runJob } from '../run-job.ts'
import { secretFiles } from '../secret-files.ts'

// Makes the secrets of a compose project once and gives each reader a folder of its own with what it may know.
await runJob('secrets', async () => {
  const root = setting('SECRETS_FOLDER')
  const secrets = await loadSecrets(join(root, 'kept/secrets.json'))
  const names = { namespace: setting('SUMLOCK_NAMESPACE'), mongo: setting('MONGO'), redis: setting('REDIS') }
  const files = Object.entries(secretFiles(secrets, names))
  for (const [name, text] of files) await replaceFile(join(root, name), text)
  return `${files.length} files are in place`
})

async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.part`, text)
  // Other engines run as other users; the volume it lies in is mounted by its reader only.
  await chmod(`${path}.part`, 0o444)
  await rename(`${path}.part`, path)
}
