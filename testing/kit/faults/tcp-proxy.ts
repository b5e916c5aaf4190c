import { createConnection, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { Transform } from 'node:stream'

/** Connections between two processes can be cut or left hanging by this proxy while both processes keep running. */
export interface TcpProxy {
  readonly port: number
  /** Ends every connection and refuses new ones. */
  cut(): void
  /** Keeps connections open and forwards nothing, as a network that drops packets does. */
  hang(): void
  /** Forwards again, beginning with the data that was held. */
  restore(): void
  close(): Promise<void>
}

/**
 * Listens on a free loopback port and forwards each new connection to a port, which may be chosen by a function. If the
 * function returns undefined, the connection is refused.
 */
export async function createTcpProxy(target: number | (() => number | undefined)): Promise<TcpProxy> {
  const choosePort = typeof target === 'number' ? () => target : target
  const open = new Set<Socket>()
  const held = new Set<() => void>()
  let mode: 'forward' | 'cut' | 'hang' = 'forward'

  const wire = () =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const pass = () => done(null, chunk)
        if (mode === 'hang') held.add(pass)
        else pass()
      },
    })
  const server = createServer({ noDelay: true }, (near) => {
    const port = mode === 'cut' ? undefined : choosePort()
    if (port === undefined) {
      near.resetAndDestroy()
      return
    }
    const far = createConnection({ port, host: '127.0.0.1', noDelay: true })
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
      socket.pipe(wire()).pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
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
    hang() {
      mode = 'hang'
    },
    restore() {
      mode = 'forward'
      for (const pass of held) pass()
      held.clear()
    },
    async close() {
      destroyAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
