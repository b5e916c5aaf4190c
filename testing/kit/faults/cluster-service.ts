import { createConnection, createServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { createEndpoints } from './endpoints.ts'
import type { Endpoints } from './endpoints.ts'
import { linkSockets, listenOnLoopback } from './linked-sockets.ts'

/** One address for several replicas. */
export interface ServiceAddress extends Omit<Endpoints, 'next'> {
  readonly url: string
  close(): Promise<void>
}

/**
 * A stand-in for a Kubernetes Service on a free loopback port: a new connection goes to the next endpoint, and an open one
 * stays where it is even if the endpoints change. Without an endpoint, connections are refused.
 */
export async function createClusterService(): Promise<ServiceAddress> {
  const { next, ...endpoints } = createEndpoints()
  const open = new Set<Duplex>()
  const server = createServer({ noDelay: true }, (near) => {
    const endpoint = next()
    if (endpoint === undefined) {
      near.resetAndDestroy()
      return
    }
    const far = createConnection({ port: Number(new URL(endpoint).port), host: '127.0.0.1', noDelay: true })
    linkSockets(near, far, open)
    near.pipe(far)
    far.pipe(near)
  })
  const port = await listenOnLoopback(server)
  return {
    url: `http://127.0.0.1:${port}`,
    ...endpoints,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
