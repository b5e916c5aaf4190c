import { systemClock } from '@sumlock/service-kit/clock'
import { failWith, productVersion, report } from '../command.ts'
import { makeBackup } from '../make-backup.ts'
import { describeBackup } from '../report.ts'
import { readEnvironment } from '../config.ts'

// A backup with all settings from the environment: the CronJob's command.
try {
  const settings = readEnvironment(productVersion)
  const { path, manifest, deleted } = await makeBackup({
    ...settings,
    clock: systemClock(),
    progress: report,
  })
  report(describeBackup(manifest))
  for (const { name } of deleted) report(`Deleted ${name}, which had expired.`)
  report(`The backup is complete: ${path}`)
} catch (error) {
  failWith(error)
}
