import { pino } from 'pino'
import type { Logger } from 'pino'
import { createLogOutput } from './log-output.ts'
import { currentRequest } from './request-context.ts'

export type { Logger }

/**
 * One JSON line per event on standard output, with the id of the request it was written for. Content, PINs, codes and
 * tokens are never given to it; the redaction below is the second net.
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
        // By name: `*.code` would hide the codes of driver errors.
        ...['body', 'input', 'notice', 'data'].map((where) => `${where}.code`),
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
