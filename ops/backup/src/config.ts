import { readSettings } from './settings.ts'
import type { BackupSettings } from './settings.ts'

/** The settings of this process's environment. */
export const readEnvironment = (version: string): BackupSettings => readSettings(process.env, version)
