import { pino } from 'pino'
import type { Logger } from 'pino'
import { createLogOutput } from './log-output.ts'
import { currentRequest } from './request-context.ts'

export type { Logger }

/**
 * Writes one JSON line per event to standard output, with the id of the request. Callers never pass content, PINs, codes
 * or tokens; the redaction is a second line of defence.
 */
export function createLogger(
  options: { service: string; instance: string; level: string },
  output: { write(line: string): void } = createLogOutput(),
): Logger {
  const settings = {
    level: options.level,
    mixin: () => {
      const requestId = currentRequest()?.requestId
      return requestId === undefined ? {} : { requestId }
    },
    base: { service: options.service, instance: options.instance },
    redact: {
      paths: [
        '*.password',
        '*.numericPassword',
        '*.content',
        // `*.code` would hide the codes of driver errors.
        'body.code',
        'input.code',
        'notice.code',
        'data.code',
        '*.demoCode',
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
