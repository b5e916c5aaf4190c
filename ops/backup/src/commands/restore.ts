import { failWith, productVersion, report } from '../command.ts'
import { describeBackup } from '../report.ts'
import { restoreBackup } from '../restore-backup.ts'
import { readRestoreOptions } from '../restore-options.ts'
import { readEnvironment } from '../config.ts'

// A restore with all settings from the environment. Stop the services first.
try {
  const settings = readEnvironment(productVersion)
  report(describeBackup(await restoreBackup({ ...settings, ...readRestoreOptions(), progress: report })))
  report('The backup is restored. See docs/backup.md for Kafka and Redis, then start the services.')
} catch (error) {
  failWith(error)
}
