import { parseArgs } from 'node:util'
import { createLogger } from '@sumlock/service-kit/logger'
import { CommandRefusedError } from './errors.ts'

/**
 * Runs a command of the image and logs its progress as JSON, like the services. If it fails, the last line has the
 * error, and the process ends with code 1.
 */
export async function runCommand(
  name: string,
  run: (progress: (text: string) => void) => Promise<unknown>,
): Promise<void> {
  const logger = createLogger({ service: name, instance: name, level: 'info' })
  try {
    await run((text) => logger.info(text))
  } catch (error) {
    logger.fatal({ err: error }, `${name} failed`)
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
