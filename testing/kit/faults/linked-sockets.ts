import type { AddressInfo, Server } from 'node:net'
import type { Duplex } from 'node:stream'

/** Ends each socket of a pair with the other, and keeps both in `open` while they live. */
export function linkSockets(near: Duplex, far: Duplex, open: Set<Duplex>): void {
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
}

/** Listens on a free port of the loopback and returns the port. */
export async function listenOnLoopback(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}
