import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Progress } from '../processes/progress.ts'

/** Shows what happens to a person, and keeps it in a log with the time; a full disk only costs the log. */
export function reportTo(logFile: string, progress: Progress): Progress {
  return (text) => {
    progress(text)
    try {
      mkdirSync(dirname(logFile), { recursive: true })
      appendFileSync(logFile, `${new Date().toISOString()} ${text}\n`)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}
