import { Agent, createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createProxyServer } from 'httpxy'
import { createTcpProxy } from './tcp-proxy.ts'

/** One address stands for several replicas, which are chosen round robin. */
export interface ServiceAddress {
  readonly url: string
  /** Adds a replica by its address, such as `http://127.0.0.1:3000`. */
  add(endpoint: string): void
  /** Removes a replica, so that it is not chosen any more. */
  remove(endpoint: string): void
  /** These replicas were chosen at least once. */
  readonly used: ReadonlySet<string>
  close(): Promise<void>
}

function createEndpoints() {
  const endpoints = new Set<string>()
  const used = new Set<string>()
  let turn = 0
  const choose = () => {
    turn += 1
    const endpoint = [...endpoints][turn % endpoints.size]
    if (endpoint !== undefined) used.add(endpoint)
    return endpoint
  }
  const address: Pick<ServiceAddress, 'add' | 'remove' | 'used'> = {
    add: (endpoint) => void endpoints.add(endpoint),
    remove: (endpoint) => void endpoints.delete(endpoint),
    used,
  }
  return { choose, address }
}

/**
 * Acts as a Kubernetes Service does: a new connection goes to the next endpoint, and an open connection stays with its
 * endpoint even after that was removed. Without an endpoint, connections are refused.
 */
export async function createClusterService(): Promise<ServiceAddress> {
  const { choose, address } = createEndpoints()
  const proxy = await createTcpProxy(() => {
    const endpoint = choose()
    return endpoint === undefined ? undefined : Number(new URL(endpoint).port)
  })
  return { url: `http://127.0.0.1:${proxy.port}`, ...address, close: () => proxy.close() }
}

/**
 * Acts as an ingress controller does: it chooses an endpoint for each request, and sends nothing to one that was
 * removed. Upgrades to WebSocket go to `sockets`.
 */
export async function createIngress({ sockets }: { sockets: ServiceAddress }): Promise<ServiceAddress> {
  const { choose, address } = createEndpoints()
  const agent = new Agent({ keepAlive: true })
  const proxy = createProxyServer()
  proxy.on('error', (_error, _request, client) => void client?.destroy())
  const server = createServer((request, response) => {
    const target = choose()
    if (target === undefined) response.writeHead(503).end()
    else void proxy.web(request, response, { target, agent })
  })
  // Idle connections are never closed, so that no client sends a request into a closing one.
  server.keepAliveTimeout = 0
  server.on('upgrade', (request, socket, head) => {
    void proxy.ws(request, socket as Socket, { target: sockets.url }, head)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...address,
    async close() {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
