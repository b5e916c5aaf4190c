import type { RequestListener } from 'node:http'

/**
 * Handles the requests of a connection one after the other. If they were handled at once, each pipelined request would
 * hold its file or answer in memory until earlier ones were read, and no handler would notice that the connection has
 * ended.
 */
export function answerInTurn(handle: RequestListener): RequestListener {
  return (request, response) => {
    // Node assigns the socket to a response only when all earlier responses of the connection have ended.
    if (response.socket) handle(request, response)
    else response.once('socket', () => handle(request, response))
  }
}
