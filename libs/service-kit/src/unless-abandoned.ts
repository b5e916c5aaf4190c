import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** The end of a connection is read up to three turns of the event loop after its data. */
const turnsUntilEnd = 4

/**
 * Leaves out a request whose client gave up while its connection waited to be accepted. A busy process that does such work is
 * late for the next connections too, and in the end answers nobody.
 */
export function unlessAbandoned(app: RequestListener): RequestListener {
  const known = new WeakSet<Socket>()
  return (request, response) => {
    if (known.has(request.socket)) return app(request, response)
    known.add(request.socket)
    const wait = (turns: number): void => {
      if (turns > 0) setImmediate(wait, turns - 1)
      else if (!request.destroyed) app(request, response)
    }
    wait(turnsUntilEnd)
  }
}
