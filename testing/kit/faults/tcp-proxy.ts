import { createConnection, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { Transform } from 'node:stream'

/** A wire between two processes that can be cut, slowed down or left hanging while both ends live. */
export interface TcpProxy {
  readonly port: number
  /** Ends every connection and refuses new ones, as a cable pulled out does for peers that notice. */
  cut(): void
  /** Keeps connections open and carries nothing, as a network that drops packets does. */
  hang(): void
  /** Every piece of data arrives this much later, in either direction; ms. */
  delay(ms: number): void
  /** Carries everything again, at once. What hung goes on where it stopped. */
  restore(): void
  close(): Promise<void>
}

/** Listens on a free loopback port and passes connections on to `targetPort` of this machine. */
export async function createTcpProxy(targetPort: number): Promise<TcpProxy> {
  const open = new Set<Socket>()
  const held = new Set<() => void>()
  let mode: 'carry' | 'cut' | 'hang' = 'carry'
  let delayMs = 0

  const wire = () =>
    new Transform({
      transform(piece: Buffer, _encoding, done) {
        const pass = () => done(null, piece)
        if (mode === 'hang') held.add(pass)
        else if (delayMs > 0) setTimeout(pass, delayMs)
        else pass()
      },
    })
  const keep = (socket: Socket, other: Socket) => {
    open.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => other.destroy())
    socket.on('close', () => {
      open.delete(socket)
      other.destroy()
    })
  }

  const server = createServer((near) => {
    if (mode === 'cut') {
      near.destroy()
      return
    }
    const far = createConnection(targetPort, '127.0.0.1')
    keep(near, far)
    keep(far, near)
    near.pipe(wire()).pipe(far)
    far.pipe(wire()).pipe(near)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const destroyAll = () => {
    for (const socket of open) socket.destroy()
    held.clear()
  }

  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      mode = 'cut'
      destroyAll()
    },
    hang: () => void (mode = 'hang'),
    delay: (ms) => void (delayMs = ms),
    restore() {
      mode = 'carry'
      delayMs = 0
      for (const pass of held) pass()
      held.clear()
    },
    async close() {
      destroyAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
