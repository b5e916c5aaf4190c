import { Agent, createServer, request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ServiceAddress } from './cluster-service.ts'
import { createEndpoints } from './endpoints.ts'

/** Of one connection, not of the request. */
const withoutHop = ({
  connection: _c,
  'keep-alive': _k,
  'transfer-encoding': _t,
  ...headers
}: IncomingHttpHeaders) => headers

/**
 * As an ingress controller is: it knows the pods themselves, chooses one for each request, and sends nothing over a connection to
 * one that is no endpoint any more. Upgrades go where `sockets` leads.
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
    const pairs = [
      [near, far],
      [far, near],
    ] as const
    for (const [socket, other] of pairs) {
      open.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
    const { method, url, rawHeaders } = asked
    const lines = rawHeaders.flatMap((name, index) => (index % 2 ? [] : `${name}: ${rawHeaders[index + 1]}`))
    far.write(`${[`${method} ${url} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
    far.write(head)
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
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
