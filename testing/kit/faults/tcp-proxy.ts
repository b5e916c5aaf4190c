import { createConnection, createServer } from 'node:net'
import { Transform } from 'node:stream'
import type { Duplex } from 'node:stream'
import { linkSockets, listenOnLoopback } from './linked-sockets.ts'

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
  const open = new Set<Duplex>()
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
  const server = createServer({ noDelay: true }, (near) => {
    if (mode === 'cut') {
      near.destroy()
      return
    }
    const far = createConnection({ port: targetPort, host: '127.0.0.1', noDelay: true })
    linkSockets(near, far, open)
    near.pipe(wire()).pipe(far)
    far.pipe(wire()).pipe(near)
  })
  const port = await listenOnLoopback(server)
  const destroyAll = () => {
    for (const socket of open) socket.destroy()
    held.clear()
  }

  return {
    port,
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
