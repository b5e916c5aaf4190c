import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** Node reads the end of a connection up to three turns of the event loop after its data. */
const turnsUntilEnd = 4

/**
 * Skips a request whose client gave up while its connection waited to be accepted. A busy process that served such
 * requests would be late for the next ones as well, and in the end all its clients would have given up.
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
