import { readRestoreOptions, runCommand } from '../command.ts'
import { readSettings } from '../config.ts'
import { restoreBackup } from '../restore-backup.ts'

// Restores a backup with all settings from the environment. Stop the services first.
await runCommand('restore', async (progress) => {
  await restoreBackup({ ...readSettings(), ...readRestoreOptions(), progress })
  progress('The backup is restored. See docs/backup.md for Kafka and Redis, then start the services.')
})
