import { setTimeout as wait } from 'node:timers/promises'
import mongoose from 'mongoose'
import type { Connection } from 'mongoose'
import type { Logger } from './logger.ts'
import { runFor } from './request-context.ts'

// Without the first two, an operator object or an unknown field in a filter would change which documents match.
mongoose.set('sanitizeFilter', true)
mongoose.set('strictQuery', 'throw')
mongoose.set('strict', 'throw')
mongoose.set('autoIndex', false)
mongoose.set('autoCreate', false)
mongoose.set('bufferCommands', false)

const retryMs = 250
const poolSize = 20
/** An operation waits at most this long for a free connection. */
const queueTimeoutMs = 1500

/**
 * Connects to the service's own database, waiting up to `startTimeoutMs` for it. After a lost connection, operations fail
 * within about 1.5 s until the driver has reconnected.
 */
export async function connectMongo(
  url: string,
  logger: Logger,
  {
    /** Migrations pass 0 for no limit, because an index build answers only when it has ended. */
    socketTimeoutMs = 10_000,
    startTimeoutMs = 30_000,
  } = {},
): Promise<Connection> {
  const giveUpAt = performance.now() + startTimeoutMs
  for (;;) {
    const connection = mongoose.createConnection(url, {
      serverSelectionTimeoutMS: 1500,
      connectTimeoutMS: 1500,
      socketTimeoutMS: socketTimeoutMs,
      heartbeatFrequencyMS: 5000,
      maxPoolSize: poolSize,
      waitQueueTimeoutMS: queueTimeoutMs,
      retryWrites: true,
      readConcern: { level: 'majority' },
      w: 'majority',
      journal: true,
    })
    connection.on('error', (error: Error) =>
      // Otherwise the line would have the id of the request in which the connection was opened.
      runFor(undefined, () => logger.warn({ err: error }, 'database connection error')),
    )
    try {
      return await connection.asPromise()
    } catch (error) {
      await connection.destroy().catch(() => undefined)
      if (performance.now() > giveUpAt) throw error
      logger.warn({ err: error }, 'database is not reachable yet; trying again')
      await wait(retryMs)
    }
  }
}

/** Opens all connections of the pool, so that the first requests need not wait for them. */
export async function openPool(connection: Connection): Promise<void> {
  await Promise.all(Array.from({ length: poolSize }, () => pingMongo(connection)))
}

/** Throws unless the database answers a ping within a second. */
export async function pingMongo(connection: Connection): Promise<void> {
  await connection.db?.admin().command({ ping: 1, maxTimeMS: 1000 })
}
