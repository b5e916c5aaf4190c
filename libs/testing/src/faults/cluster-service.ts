import { createConnection, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/**
 * One address for several replicas, as a cluster's Service is: each new connection goes to the next endpoint, and one that
 * is open stays where it is, whatever becomes of the endpoints.
 */
export interface ClusterService {
  readonly url: string
  /** `http://127.0.0.1:<port>` of a replica: from now on it gets new connections. */
  add(endpoint: string): void
  /** It gets no new connection. */
  remove(endpoint: string): void
  /** Connections made so far, by endpoint. */
  readonly connections: ReadonlyMap<string, number>
  close(): Promise<void>
}

export interface ClusterServiceOptions {
  /** Takes connections that begin with `GET /ws`, as an ingress does that sends them elsewhere by their path. */
  sockets?: ClusterService
}

/** Listens on a free loopback port. Without an endpoint, a connection is refused. */
export async function createClusterService({ sockets }: ClusterServiceOptions = {}): Promise<ClusterService> {
  const endpoints = new Set<string>()
  const connections = new Map<string, number>()
  const open = new Set<Socket>()
  let turn = 0

  const next = (): string | undefined => {
    const all = [...endpoints]
    turn += 1
    const endpoint = all[turn % all.length]
    if (endpoint) connections.set(endpoint, (connections.get(endpoint) ?? 0) + 1)
    return endpoint
  }
  const join = (near: Socket, endpoint: string | undefined, first?: Buffer) => {
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
    if (first) far.write(first)
    near.pipe(far)
    far.pipe(near)
  }

  const server = createServer((near) => {
    if (!sockets) {
      join(near, next())
      return
    }
    near.on('error', () => near.destroy())
    near.once('data', (first) => {
      near.pause()
      const isSocket = first.toString('latin1').startsWith('GET /ws')
      join(near, isSocket ? sockets.url : next(), first)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (endpoint) => void endpoints.add(endpoint),
    remove: (endpoint) => void endpoints.delete(endpoint),
    connections,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
