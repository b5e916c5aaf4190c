import { runFor } from '@sumlock/service-kit/request-context'
import { logLevel } from 'kafkajs'
import type { logCreator } from 'kafkajs'
import type { Logger } from 'pino'

/** kafkajs calls a broker that is coming up an ERROR; for us it is a warning, because nothing is lost by it. */
export const kafkaLogger =
  (logger: Logger): logCreator =>
  () =>
  ({ level, log }) => {
    const { message, timestamp: _timestamp, logger: _name, ...fields } = log
    const say = level <= logLevel.WARN ? 'warn' : 'debug'
    // A connection outlives the request for which it was made.
    runFor(undefined, () => logger[say](fields, `kafka: ${message}`))
  }
