import { readRestoreOptions } from '@sumlock/backup/command'
import { restoreBackup } from '@sumlock/backup/restore-backup'
import { dataFolder } from '@sumlock/dev/product/product-options'
import { failWith, progress } from '@sumlock/dev/product/terminal'
import { restoreSecrets, withStoppedProduct } from './local/local-product.ts'

// Restores a backup into the local product, which must not be running.
try {
  const { data, ...options } = readRestoreOptions()
  const dataDir = dataFolder(data)
  await restoreSecrets(dataDir, options.name, progress)
  await withStoppedProduct({ dataDir, command: 'npm run restore', progress }, async (settings) => {
    await restoreBackup({ ...settings, ...options, progress })
  })
  progress('The backup is restored. To start the product: npm start')
} catch (error) {
  failWith(error)
}
