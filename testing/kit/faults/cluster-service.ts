import { createConnection, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { createEndpoints } from './endpoints.ts'
import type { Endpoints } from './endpoints.ts'

/** One address for several replicas. */
export interface ServiceAddress extends Omit<Endpoints, 'next'> {
  readonly url: string
  close(): Promise<void>
}

/**
 * As a cluster's Service is, on a free loopback port: each new connection goes to the next endpoint, and one that is open
 * stays where it is, whatever becomes of the endpoints. Without an endpoint, a connection is refused.
 */
export async function createClusterService(): Promise<ServiceAddress> {
  const { next, ...endpoints } = createEndpoints()
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const endpoint = next()
    if (endpoint === undefined) {
      near.resetAndDestroy()
      return
    }
    const far = createConnection(Number(new URL(endpoint).port), '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...endpoints,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
