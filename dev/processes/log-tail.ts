import { readFileSync, renameSync, statSync } from 'node:fs'

const rotateAtBytes = 20 * 1024 * 1024

/** The last lines of a log, from byte `from` on, without blank ones. Empty when there is no such file. */
export function lastLines(logFile: string, count = 15, from = 0): string[] {
  if (sizeOf(logFile) === 0) return []
  const lines = readFileSync(logFile).subarray(from).toString('utf8').split('\n')
  return lines
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .map((line) => line.slice(0, 400))
}

export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** Renames a large log to `<log>.1`. Call it before the process that writes the log starts. */
export function rotate(logFile: string): void {
  if (sizeOf(logFile) > rotateAtBytes) renameSync(logFile, `${logFile}.1`)
}
