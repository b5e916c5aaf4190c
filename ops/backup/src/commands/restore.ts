import { failWith, productVersion, say } from '../command.ts'
import { describeBackup } from '../report.ts'
import { restoreBackup } from '../restore-backup.ts'
import { readRestoreOptions } from '../restore-options.ts'
import { readEnvironment } from '../config.ts'

// A restore with all settings from the environment. The services have to be stopped before.
try {
  const settings = readEnvironment(productVersion)
  say(describeBackup(await restoreBackup({ ...settings, ...readRestoreOptions(), progress: say })))
  say('It is restored. See docs/backup.md for Kafka and Redis, then start the services.')
} catch (error) {
  failWith(error)
}
