import { pino } from 'pino'
import type { Logger } from 'pino'
import { createLogOutput } from './log-output.ts'

export type { Logger }

/**
 * One JSON line per event on standard output. Content, PINs, codes and tokens are never given to it;
 * the redaction below is the second net.
 */
export function createLogger(
  options: { service: string; instance: string; level: string },
  output: { write(line: string): void } = createLogOutput(),
): Logger {
  const settings = {
    level: options.level,
    base: { service: options.service, instance: options.instance },
    // guard: log-redaction
    redact: {
      paths: [
        '*.password',
        '*.numericPassword',
        '*.content',
        '*.code',
        '*.token',
        '*.cookie',
        'headers.cookie',
        'headers.authorization',
      ],
      censor: '[redacted]',
    },
  }
  return pino(settings, output)
}
