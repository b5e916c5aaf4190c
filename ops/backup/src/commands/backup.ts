import { systemClock } from '@sumlock/service-kit/clock'
import { runCommand } from '../command.ts'
import { readSettings } from '../config.ts'
import { makeBackup } from '../make-backup.ts'

// A backup with all settings from the environment: the CronJob's command.
await runCommand((progress) => makeBackup({ ...readSettings(), clock: systemClock(), progress }))
