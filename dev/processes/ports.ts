import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

// Below the ephemeral range (from 32768 on Linux): an outgoing connection could otherwise hold the port of a process
// that is being restarted. Browsers block none of these ports.
const firstPort = 12_000
const lastPort = 31_999

/** `count` ports of this machine that were free a moment ago, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(firstPort, lastPort + 1)
    if (!ports.has(port) && (await canListen(port))) ports.add(port)
  }
  return [...ports]
}

export function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

export async function isListening(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' })
  const connected = await once(socket, 'connect').catch(() => null)
  socket.destroy()
  return connected !== null
}

/** Whether a GET of the address is answered with success within 2 s. */
export const answersOk = async (url: string): Promise<boolean> =>
  (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok
