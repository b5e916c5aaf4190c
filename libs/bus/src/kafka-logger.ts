import { runFor } from '@sumlock/service-kit/request-context'
import { logLevel } from 'kafkajs'
import type { logCreator } from 'kafkajs'
import type { Logger } from 'pino'

/** Logs the errors of kafkajs as warnings: it retries a broker that is away, and nothing is lost. */
export const kafkaLogger =
  (logger: Logger): logCreator =>
  () =>
  ({ level, log }) => {
    const { message, timestamp: _timestamp, logger: _name, ...fields } = log
    const ownLevel = level <= logLevel.WARN ? 'warn' : 'debug'
    // A connection outlives the request that opened it.
    runFor(undefined, () => logger[ownLevel](fields, `kafka: ${message}`))
  }
