import { runFor } from '@sumlock/service-kit/request-context'
import { logLevel } from 'kafkajs'
import type { logCreator } from 'kafkajs'
import type { Logger } from 'pino'
import { consumerStopped } from './fetch-sockets.ts'

/** Logs the errors of kafkajs as warnings: it retries a broker that is away, and nothing is lost. */
export const kafkaLogger =
  (logger: Logger): logCreator =>
  () =>
  ({ level, log }) => {
    const { message, timestamp: _timestamp, logger: _name, ...fields } = log
    const isFault = level <= logLevel.WARN && !message.endsWith(consumerStopped)
    const ownLevel = isFault ? 'warn' : 'debug'
    // A connection outlives the request that opened it.
    runFor(undefined, () => logger[ownLevel](fields, `kafka: ${message}`))
  }
