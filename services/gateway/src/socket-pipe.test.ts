import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import { Socket, connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createLogger } from '@sumlock/service-kit/logger'
import { drainingHeader } from '@sumlock/service-kit/serve'
import { handshakeBytes } from '@sumlock/testing/bad-input/bad-handshakes'
import { rawExchange } from '@sumlock/testing/raw-exchange'
import { eventually } from '@sumlock/testing/wait'
import type { Context } from './context.ts'
import { createUpstream } from './infrastructure/upstream.ts'
import type { Upstream } from './infrastructure/upstream.ts'
import { createSocketPipe } from './socket-pipe.ts'

let logged: string[] = []
const write = (line: string) => void logged.push(line)
const logger = createLogger({ service: 'gateway', instance: 'test', level: 'error' }, { write })
let received: IncomingHttpHeaders[] = []
const behind = createServer((request, response) => {
  received.push(request.headers)
  response.end('{}')
})
let realtime: Upstream
const pipeWith = (config: Partial<Context['config']> = {}, to = realtime) =>
  createSocketPipe({ config, logger } as unknown as Context, to)

const listen = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  realtime = createUpstream([await listen(behind)], 2)
})
afterAll(() => {
  realtime.agent.destroy()
  behind.close()
})
beforeEach(() => {
  received = []
  logged = []
})

describe('the socket pipe', () => {
  /** Sends a handshake through proxies; returns the answer of the realtime replica. */
  const shake = async (pipe: ReturnType<typeof createSocketPipe>) => {
    const server = createServer().on('upgrade', pipe.accept)
    const headers = { 'x-forwarded-for': '203.0.113.9, 192.0.2.7' }
    try {
      return await rawExchange(await listen(server), handshakeBytes('/ws/', headers), { withinMs: 5000 })
    } finally {
      server.close()
    }
  }

  it.each([
    [0, '127.0.0.1'],
    [1, '192.0.2.7'],
  ])('forwards the address before %i trusted proxies: %s', async (TRUSTED_HOPS, address) => {
    await shake(pipeWith({ TRUSTED_HOPS }))
    expect(received.at(-1)).toMatchObject({ 'x-forwarded-for': address })
  })

  it('returns the refusal of a stopping replica and leaves that replica out', async () => {
    const stopping = createServer((_request, response) => {
      response.writeHead(503, { [drainingHeader]: 'yes', connection: 'close', 'content-length': 0 }).end()
    })
    const target = await listen(stopping)
    const upstream = createUpstream([target], 2)
    expect((await shake(pipeWith({}, upstream))).statuses).toEqual([503])
    expect(upstream.targets.isDown(target)).toBe(true)
    stopping.close()
  })

  it('closes the connection to realtime with the socket of the client', async () => {
    const replica = createServer()
    const upstream = createUpstream([await listen(replica)], 2)
    const pipe = pipeWith({ TRUSTED_HOPS: 0 }, upstream)
    const server = createServer().on('upgrade', pipe.accept)
    const upgraded = once(replica, 'upgrade') as Promise<[IncomingMessage, Socket]>
    const client = connect(Number(new URL(await listen(server)).port), '127.0.0.1')
    client.on('error', () => undefined).write(handshakeBytes('/ws/', {}))
    const [, connection] = await upgraded
    connection.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
    await once(client, 'data')
    const ended = once(connection.resume(), 'end')
    await pipe.close()
    await ended
    connection.destroy()
    server.close()
    replica.close()
  }, 5000)

  /** Lets a client keep its side of the connection open; resolves once the gateway has closed it. */
  const keepOpen = async (replica: Server, ...options: [number?]) => {
    const upstream = createUpstream([await listen(replica)], 2)
    const pipe = createSocketPipe(
      { config: { TRUSTED_HOPS: 0 }, logger } as unknown as Context,
      upstream,
      ...options,
    )
    const server = createServer().on('upgrade', pipe.accept)
    const port = Number(new URL(await listen(server)).port)
    const accepted = once(server, 'connection') as Promise<[Socket]>
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    client.on('error', () => undefined).resume()
    client.write(handshakeBytes('/ws/', {}))
    const [connection] = await accepted
    try {
      await eventually(() => expect(connection.destroyed).toBe(true), { timeoutMs: 3000 })
    } finally {
      client.destroy()
      upstream.agent.destroy()
      server.close()
      replica.close()
    }
  }

  it('closes the connection of a client that was refused and never closes its side', () =>
    keepOpen(createServer((_request, response) => response.writeHead(401).end())))

  it('closes the connection of a client that never closes its side after realtime has closed the socket', () =>
    keepOpen(
      createServer().on('upgrade', (_request, connection) =>
        connection.end(
          'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
        ),
      ),
    ))

  it('closes the connection of a client whose handshake realtime does not answer in time', () =>
    keepOpen(
      createServer().on('upgrade', () => undefined),
      200,
    ))

  it('closes the connection of a client that reads nothing between two checks, although no event shows that realtime has closed its end', async () => {
    const replica = createServer().on('upgrade', (_request, connection) => {
      connection.on('error', () => undefined)
      connection.write(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      )
      connection.write(Buffer.alloc(30_000_000))
    })
    const upstream = createUpstream([await listen(replica)], 2)
    const pipe = pipeWith({ TRUSTED_HOPS: 0 }, upstream)
    const server = createServer().on('upgrade', pipe.accept)
    const accepted = once(server, 'connection') as Promise<[Socket]>
    const client = connect(Number(new URL(await listen(server)).port), '127.0.0.1')
    client.on('error', () => undefined).write(handshakeBytes('/ws/', {}))
    const [connection] = await accepted
    pipe.endStalled()
    expect(connection.destroyed).toBe(false)
    await eventually(() => {
      pipe.endStalled()
      expect(connection.destroyed).toBe(true)
    })
    client.destroy()
    upstream.agent.destroy()
    server.close()
    replica.close()
  })

  it.each([
    [200, 0],
    [201, 1],
  ])('closes %i sockets in waves of 200, so that %i of them stay open at first', async (count, left) => {
    const pipe = pipeWith({ TRUSTED_HOPS: 0 })
    const sockets = Array.from({ length: count }, () => new Socket())
    for (const socket of sockets) {
      const request = { url: '/ws/', method: 'GET', socket, headers: {} }
      pipe.accept(request as unknown as IncomingMessage, socket, Buffer.alloc(0))
    }
    let isClosed = false
    const closing = pipe.close().then(() => (isClosed = true))
    expect(sockets.filter(({ destroyed }) => !destroyed)).toHaveLength(left)
    await Promise.resolve()
    await Promise.resolve()
    expect(isClosed).toBe(left === 0)
    await closing
    expect(sockets.every(({ destroyed }) => destroyed)).toBe(true)
  })

  it('closes the socket without an error when the headers of a handshake cannot be created', () => {
    const pipe = pipeWith()
    const socket = new Socket()
    const request = Object.defineProperty({ url: '/ws/', socket }, 'headers', {
      get: () => {
        throw new Error('a fault of ours')
      },
    })
    pipe.accept(request as unknown as IncomingMessage, socket, Buffer.alloc(0))
    expect(socket.destroyed).toBe(true)
    expect(logged).toEqual([expect.stringContaining('could not forward a WebSocket handshake')])
  })

  it.each(['/', '/ws2', '/api/user', '/ws/../api', 'http://elsewhere/ws/'])(
    'cuts off an upgrade to %s',
    (url) => {
      const pipe = pipeWith()
      const socket = new Socket()
      pipe.accept({ url, socket, headers: {} } as unknown as IncomingMessage, socket, Buffer.alloc(0))
      expect(socket.destroyed).toBe(true)
      // Without a listener, a connection that is reset would end the process.
      expect(() => socket.emit('error', new Error('reset'))).not.toThrow()
    },
  )
})
