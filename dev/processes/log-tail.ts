import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs'

const tailBytes = 64 * 1024
const longestLine = 400
const rotateAtBytes = 20 * 1024 * 1024

/** The end of a log, from byte `from` on: long lines cut, blank ones left out. Empty when there is no such file. */
export function lastLines(logFile: string, count = 15, from = 0): string[] {
  let file: number
  try {
    file = openSync(logFile, 'r')
  } catch {
    return []
  }
  try {
    const { size } = fstatSync(file)
    const start = Math.max(from, size - tailBytes)
    const buffer = Buffer.alloc(Math.max(0, size - start))
    const text = buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, start))
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    return lines
      .slice(-count)
      .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)} …` : line))
  } finally {
    closeSync(file)
  }
}

export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** Sets a log aside as `<log>.1` once it is large; to be called while nothing writes to it. */
export function rotate(logFile: string): void {
  if (sizeOf(logFile) > rotateAtBytes) renameSync(logFile, `${logFile}.1`)
}
