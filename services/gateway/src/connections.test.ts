import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { eventually } from '@sumlock/testing/wait'
import { countDropped, limitConnections } from './connections.ts'
import type { ConnectionBounds } from './connections.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server that answers at once, and `/held` when the test does. */
async function start(bounds: ConnectionBounds) {
  const held: ServerResponse[] = []
  let refused = 0
  const server: Server = createServer((request, response) => {
    if (request.url === '/held') held.push(response)
    else response.end('{}')
  })
  server.on('upgrade', (_request, socket: Socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
  limitConnections(server, bounds, () => (refused += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  closing.push(() => server.close().closeAllConnections())
  const open = async (localAddress = '127.0.0.1') => {
    const accepted = once(server, 'connection')
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    closing.push(() => socket.destroy())
    socket.on('error', () => undefined).resume()
    await accepted
    return socket
  }
  const ask = async (socket: Socket, path = '/', headers = '') => {
    const answered = once(socket, 'data')
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n${headers}\r\n`)
    if (path !== '/held') await answered
    else await eventually(() => expect(held.length).toBeGreaterThan(0))
  }
  return { open, ask, held, refused: () => refused }
}

const isOpen = (sockets: readonly Socket[]) => sockets.map(({ closed }) => !closed)

it('refuses a connection beyond those of its address, admits others, and the next once one has ended', async () => {
  const { open, refused } = await start({ total: 100, perAddress: 2 })
  const own = [await open(), await open()]
  const third = await open()
  await eventually(() => expect(third.closed).toBe(true))
  expect(refused()).toBe(1)
  const other = await open('127.0.0.2')
  own[0]?.destroy()
  await eventually(async () => {
    const next = await open()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(next.closed).toBe(false)
  })
  expect(isOpen([own[1] as Socket, other])).toEqual([true, true])
})

it('admits four times as many connections from a /56 as from a /64, and sixteen times as many from a /48', () => {
  const server = new EventEmitter()
  limitConnections(server as Server, { total: 1000, perAddress: 2 }, () => undefined)
  /** Whether a connection from this address stays open. Loopback has one IPv6 address only. */
  const stays = (remoteAddress: string) => {
    let isOpen = true
    const destroy = () => (isOpen = false)
    server.emit('connection', Object.assign(new EventEmitter(), { remoteAddress, destroy }))
    return isOpen
  }
  const admitted = (addresses: string[]) => addresses.filter(stays).length
  const of = (nets: string[]) => nets.flatMap((net) => Array<string>(3).fill(`2001:db8:1:${net}::1`))
  expect(admitted(of(['101', '102', '103', '104', '105']))).toBe(8)
  expect(admitted(of(Array.from({ length: 14 }, (_, net) => `${(net + 32).toString(16)}00`)))).toBe(24)
  expect(stays('2001:db8:2::1')).toBe(true)
})

it('closes the connection that has been idle longest for a new one once four fifths are open', async () => {
  const { open, ask } = await start({ total: 5, perAddress: 100 })
  const sockets = [await open(), await open(), await open(), await open()]
  await ask(sockets[0] as Socket)
  sockets.push(await open())
  await eventually(() => expect(isOpen(sockets)).toEqual([true, false, true, true, true]))
})

it('closes no connection with an unanswered request, and none that was upgraded', async () => {
  const { open, ask, held } = await start({ total: 4, perAddress: 100 })
  const [waiting, upgraded, idle] = [await open(), await open(), await open()]
  await ask(waiting, '/held')
  await ask(upgraded, '/', 'connection: upgrade\r\nupgrade: websocket\r\n')
  const later = await open()
  await eventually(() => expect(idle.closed).toBe(true))
  expect(isOpen([waiting, upgraded, later])).toEqual([true, true, true])
  const answered = once(waiting, 'data')
  held[0]?.end('{}')
  await answered
})

it('closes a connection with more than sixteen unanswered requests, and not one that has sent more in turn', async () => {
  const { open, ask, held, refused } = await start({ total: 100, perAddress: 100 })
  const [flooding, polite] = [await open(), await open()]
  for (let count = 0; count < 20; count += 1) await ask(polite)
  for (let count = 0; count < 16; count += 1) await ask(flooding, '/held')
  await eventually(() => expect(held).toHaveLength(16))
  expect(refused()).toBe(0)
  flooding.write('GET /held HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(3))
  await eventually(() => expect(flooding.closed).toBe(true))
  expect(isOpen([polite])).toEqual([true])
  expect(refused()).toBe(1)
})

it('counts a connection that is refused because all are in use', async () => {
  const server = createServer()
  server.maxConnections = 1
  const refused = new Promise((resolve) => countDropped(server, resolve))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const sockets = [1, 2].map(() => connect({ port, host: '127.0.0.1' }).on('error', () => undefined))
  closing.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  expect(await refused).toBe('connections')
})
