import { Agent, createServer, request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ServiceAddress } from './cluster-service.ts'
import { createEndpoints } from './endpoints.ts'
import { linkSockets, listenOnLoopback } from './linked-sockets.ts'

/** Drops the headers that belong to one connection. */
const withoutHop = ({
  connection: _c,
  'keep-alive': _k,
  'transfer-encoding': _t,
  ...headers
}: IncomingHttpHeaders) => headers

/**
 * A stand-in for an ingress controller: it chooses a pod for each request and sends nothing to a pod that is no longer an
 * endpoint. Upgrades go to the endpoints of `sockets`.
 */
export async function createIngress({ sockets }: { sockets: ServiceAddress }): Promise<ServiceAddress> {
  const { next, ...endpoints } = createEndpoints()
  const agent = new Agent({ keepAlive: true })
  const open = new Set<Duplex>()

  const server = createServer((asked, answer) => {
    const endpoint = next()
    if (endpoint === undefined) {
      answer.writeHead(503).end()
      return
    }
    const { method, url = '/' } = asked
    const inward = request(endpoint + url, { method, agent, headers: withoutHop(asked.headers) })
    inward.once('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, withoutHop(response.headers))
      response.pipe(answer)
    })
    inward.on('error', () => answer.destroy())
    asked.pipe(inward)
  })
  // It never stops, so no client sends into a closing connection.
  server.keepAliveTimeout = 0
  server.on('upgrade', (asked, near, head) => {
    const far = connect(Number(new URL(sockets.url).port), '127.0.0.1')
    linkSockets(near, far, open)
    const { method, url, rawHeaders } = asked
    const lines = rawHeaders.flatMap((name, index) => (index % 2 ? [] : `${name}: ${rawHeaders[index + 1]}`))
    far.write(`${[`${method} ${url} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
    far.write(head)
    near.pipe(far)
    far.pipe(near)
  })
  const port = await listenOnLoopback(server)
  return {
    url: `http://127.0.0.1:${port}`,
    ...endpoints,
    async close() {
      for (const socket of open) socket.destroy()
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
