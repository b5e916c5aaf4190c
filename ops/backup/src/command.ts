import { parseArgs } from 'node:util'
import { CommandRefusedError } from './errors.ts'

/**
 * Runs a command and prints its progress. If it fails, the message of the error is printed and the process ends with
 * code 1.
 */
export async function runCommand(run: (progress: (text: string) => void) => Promise<unknown>): Promise<void> {
  const print = (text: string) => void process.stderr.write(`${text}\n`)
  try {
    await run((text) => print(`  ${text.replaceAll('\n', '\n  ')}`))
  } catch (error) {
    print(`\n${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}

/** Reads `[name] [--replace] [--without-media] [--republish <hours>] [--data <folder>]`; only local commands use the folder. */
export function readRestoreOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      replace: { type: 'boolean', default: false },
      'without-media': { type: 'boolean', default: false },
      republish: { type: 'string', default: '0' },
      data: { type: 'string' },
    },
  })
  const republishHours = Number(values.republish)
  if (!(republishHours >= 0 && republishHours <= 168))
    throw new CommandRefusedError('--republish takes a number of hours from 0 to 168.')
  const { replace, data, 'without-media': withoutMedia } = values
  return { name: positionals[0], replace, withoutMedia, republishHours, data }
}
