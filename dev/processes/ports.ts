import { randomInt } from 'node:crypto'
import { connect, createServer } from 'node:net'

// Below the range from which systems take the local end of outgoing connections (32768 on Linux, 49152 elsewhere):
// otherwise one of those may sit on a killed process's port when it starts again. Browsers refuse none of these.
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

/** Whether a process of ours could listen on the port now. */
export function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** Whether something accepts connections on the port. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
