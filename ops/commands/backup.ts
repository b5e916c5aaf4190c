import { parseArgs } from 'node:util'
import { listBackups } from '@sumlock/backup/backup-folder'
import { makeBackup } from '@sumlock/backup/make-backup'
import { dataFolder } from '@sumlock/dev/product/product-options'
import { failWith, progress } from '@sumlock/dev/product/terminal'
import { systemClock } from '@sumlock/service-kit/clock'
import { localFolder, withProduct } from './local/local-product.ts'

// Saves the local product, whether it runs or not. A cluster runs ops/backup/src/commands/backup.ts instead.
try {
  const { data, list } = parseArgs({
    options: { data: { type: 'string' }, list: { type: 'boolean', default: false } },
  }).values
  const dataDir = dataFolder(data)
  if (list) {
    const backups = await listBackups(localFolder(dataDir))
    process.stdout.write(backups.map(({ name }) => `${name}\n`).join(''))
    if (backups.length === 0) progress('There is no backup yet. To make one: npm run backup')
  } else
    await withProduct({ dataDir, command: 'npm run backup', progress }, async (settings) => {
      await makeBackup({ ...settings, clock: systemClock(), progress })
      progress('To restore it: npm run stop, then npm run restore')
    })
} catch (error) {
  failWith(error)
}
