import { pino, stdSerializers } from 'pino'
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
    serializers: { err: withoutData },
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

/** After this, MongoDB quotes the refused command or the values of a unique index, up to the end of its message. */
const quoted = /(to execute command \{ \w+|dup key:)[\s\S]*?(?=\n\s+at |\ncaused by: |$)/g

/**
 * Returns what a log shows of an error: its texts, numbers and our own details. Other objects are left out, because the
 * errors of the database driver hold whole documents.
 */
function withoutData(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const shown = Object.entries<unknown>(stdSerializers.err(error)).filter(
    ([name, value]) => typeof value !== 'object' || name === 'details',
  )
  const texts = shown.map(([name, value]): [string, unknown] => [
    name,
    typeof value === 'string' ? value.replace(quoted, '$1 [redacted]') : value,
  ])
  const parts = error instanceof AggregateError ? { aggregateErrors: error.errors.map(withoutData) } : {}
  return { ...Object.fromEntries(texts), ...parts }
}
