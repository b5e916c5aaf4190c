import { writeSync } from 'node:fs'

/** Writes bytes from an offset on, and returns how many were written. */
export type Write = (bytes: Buffer, from: number) => number

const toStandardOutput: Write = (bytes, from) => writeSync(1, bytes, from)

/**
 * Returns a destination for pino's log lines. A line that cannot be written (full disk, slow reader) is dropped, and
 * a later line reports the number of lost lines. Pino's own destination would retry endlessly and block the process.
 */
export function createLogOutput(write: Write = toStandardOutput) {
  let lost = 0
  let brokeOff = false

  /** Throws the system's error when the line could not be written completely. */
  function writeWhole(line: string): void {
    const bytes = Buffer.from(brokeOff ? `\n${line}` : line)
    let from = 0
    try {
      while (from < bytes.length) from += write(bytes, from)
      brokeOff = false
    } catch (error) {
      if (from > 0) brokeOff = true
      throw error
    }
  }

  return {
    write(line: string): void {
      try {
        if (lost > 0)
          writeWhole(`${JSON.stringify({ level: 40, time: Date.now(), lost, msg: 'log lines were lost' })}\n`)
        lost = 0
        writeWhole(line)
      } catch {
        lost += 1
      }
    },
  }
}
