import { setTimeout as wait } from 'node:timers/promises'
import mongoose from 'mongoose'
import type { Connection } from 'mongoose'
import type { Logger } from './logger.ts'
import { runFor } from './request-context.ts'

// Without these, an operator object or an unknown field in a filter changes which documents match.
mongoose.set('sanitizeFilter', true)
mongoose.set('strictQuery', 'throw')
mongoose.set('strict', 'throw')
mongoose.set('autoIndex', false)
mongoose.set('autoCreate', false)
mongoose.set('bufferCommands', false)

const startTimeoutMs = 30_000
const retryMs = 250
const poolSize = 20
/** An operation waits this long for a free connection; after that the database could not answer in time. */
const queueTimeoutMs = 1500

/**
 * Connects to the service's own database, waiting up to 30 s for it at start. After a lost connection, operations fail
 * within about 1.5 s until the driver has reconnected.
 */
export async function connectMongo(
  url: string,
  logger: Logger,
  {
    /** 0: no limit, for migrations, because an index build answers only when it has ended. */
    socketTimeoutMs = 10_000,
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
      // A connection outlives the request that opened it.
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

/** Opens connections ahead of the first requests. */
export async function openPool(connection: Connection): Promise<void> {
  await Promise.all(Array.from({ length: poolSize }, () => pingMongo(connection)))
}

/** Throws unless the database answers a ping, which decides about readiness. */
export async function pingMongo(connection: Connection): Promise<void> {
  await connection.db?.admin().command({ ping: 1, maxTimeMS: 1000 })
}
