import { logLevel } from 'kafkajs'
import type { logCreator } from 'kafkajs'
import type { Logger } from 'pino'

/** kafkajs calls a broker that is coming up an ERROR; for us it is a warning, because nothing is lost by it. */
export const kafkaLogger =
  (logger: Logger): logCreator =>
  () =>
  ({ level, log }) => {
    const { message, timestamp: _timestamp, logger: _name, ...fields } = log
    if (level <= logLevel.WARN) logger.warn(fields, `kafka: ${message}`)
    else logger.debug(fields, `kafka: ${message}`)
  }
