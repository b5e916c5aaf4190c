import { systemClock } from '@sumlock/service-kit/clock'
import { failWith, productVersion, say } from '../command.ts'
import { makeBackup } from '../make-backup.ts'
import { describeBackup } from '../report.ts'
import { readEnvironment } from '../config.ts'

// A backup with all settings from the environment: the CronJob's command.
try {
  const settings = readEnvironment(productVersion)
  const { path, manifest, deleted } = await makeBackup({ ...settings, clock: systemClock(), progress: say })
  say(describeBackup(manifest))
  for (const { name } of deleted) say(`Deleted ${name}: its time was over.`)
  say(`The backup is whole: ${path}`)
} catch (error) {
  failWith(error)
}
