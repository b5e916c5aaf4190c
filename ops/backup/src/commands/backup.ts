import { systemClock } from '@sumlock/service-kit/clock'
import { runCommand } from '../command.ts'
import { readSettings } from '../config.ts'
import { makeBackup } from '../make-backup.ts'

// The CronJob runs this command. It makes a backup with all settings from the environment.
await runCommand('backup', (progress) => makeBackup({ ...readSettings(), clock: systemClock(), progress }))
