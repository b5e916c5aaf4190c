import { runFor } from '@sumlock/service-kit/request-context'
import { logLevel } from 'kafkajs'
import type { logCreator } from 'kafkajs'
import type { Logger } from 'pino'

/** Logs errors of kafkajs as warnings, because kafkajs retries a broker that cannot be reached and nothing is lost. */
export const kafkaLogger =
  (logger: Logger): logCreator =>
  () =>
  ({ level, log }) => {
    const { message, timestamp: _timestamp, logger: _name, ...fields } = log
    const ownLevel = level <= logLevel.WARN ? 'warn' : 'debug'
    // The line is logged without a request, because a connection stays open after the request that opened it.
    runFor(undefined, () => logger[ownLevel](fields, `kafka: ${message}`))
  }
