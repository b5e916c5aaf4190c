import type { mongo } from 'mongoose'

interface Internals {
  topology?: { s: { servers: Map<string, { pool: { ensureMinPoolSize?: () => void } }> } }
}

/**
 * Keeps the connection pools of a client from looking ten times a second whether they have connections enough: ours have no
 * minimum, and an outdated connection is noticed when it is taken. The driver's setting for it,
 * `minPoolSizeCheckFrequencyMS`, cannot be given. Source: mongodb lib/cmap/connection_pool.js, `ensureMinPoolSize`.
 */
export function quietPools(client: mongo.MongoClient): void {
  const servers = () => (client as unknown as Internals).topology?.s.servers
  const quiet = (address: string) => {
    const pool = servers()?.get(address)?.pool
    if (pool?.ensureMinPoolSize) pool.ensureMinPoolSize = () => undefined
  }
  for (const address of servers()?.keys() ?? []) quiet(address)
  client.on('connectionPoolReady', ({ address }) => quiet(address))
}
