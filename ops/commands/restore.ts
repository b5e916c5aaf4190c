import { parseArgs } from 'node:util'
import { describeBackup } from '@sumlock/backup/report'
import { restoreBackup } from '@sumlock/backup/restore-backup'
import { readRestoreOptions } from '@sumlock/backup/restore-options'
import { dataFolder } from '@sumlock/dev/product/product-options'
import { failWith, progress } from '@sumlock/dev/product/terminal'
import { restoreSecrets, withStoppedProduct } from './local/local-product.ts'

// Restores a backup into the local product, which must not be running.
try {
  const options = readRestoreOptions()
  const { data } = parseArgs({ strict: false, options: { data: { type: 'string' } } }).values
  const dataDir = dataFolder(typeof data === 'string' ? data : undefined)
  await restoreSecrets(dataDir, options.name, progress)
  await withStoppedProduct({ dataDir, command: 'npm run restore', progress }, async (settings) => {
    progress(describeBackup(await restoreBackup({ ...settings, ...options, progress })))
  })
  progress('The backup is restored. To start the product: npm start')
} catch (error) {
  failWith(error)
}
