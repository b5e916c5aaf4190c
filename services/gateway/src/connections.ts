import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressGroup } from '@sumlock/service-kit/client-address'

export interface ConnectionBounds {
  /** Connections in all; while four fifths are open, each new one closes the one that has been idle longest. */
  total: number
  perAddress: number
}

/** One office or carrier may stand behind an address; a browser opens up to seven. */
export const connectionsPerAddress = 512
/** Of the headers of one request. */
export const maxHeaderBytes = 8192
const idleShare = 0.8
/** Requests that a connection may have unanswered. Browsers send the next one after the answer. */
const unansweredAtMost = 16

/** Counts the connections that a server refuses because it has `maxConnections`. */
export function countDropped(server: Server, onRefused: (reason: 'connections') => void): void {
  server.on('drop', () => onRefused('connections'))
}

/**
 * Counts the connections of a server that browsers reach directly. A proxy before it would be a single address, and counts
 * itself. A connection is idle while no request of it is unanswered; one that was upgraded never is. One with too many
 * unanswered requests is closed.
 */
export function limitConnections(
  server: Server,
  { total, perAddress }: ConnectionBounds,
  onRefused: (reason: 'connections') => void,
): void {
  const byAddress = new Map<string, number>()
  /** The connection that has been idle longest comes first. */
  const idle = new Set<Socket>()
  /** Of each connection. An answer may end after its connection has: no count may keep a socket in memory. */
  const unanswered = new WeakMap<Socket, number>()
  let open = 0

  const closeLongestIdle = () => {
    const [longest] = idle
    if (!longest) return
    idle.delete(longest)
    longest.destroy()
  }

  server.prependListener('connection', (socket: Socket) => {
    const address = addressGroup(socket.remoteAddress ?? '')
    const own = (byAddress.get(address) ?? 0) + 1
    if (own > perAddress) {
      onRefused('connections')
      socket.destroy()
      return
    }
    byAddress.set(address, own)
    open += 1
    if (open > idleShare * total) closeLongestIdle()
    idle.add(socket)
    socket.once('close', () => {
      open -= 1
      idle.delete(socket)
      const left = (byAddress.get(address) ?? 1) - 1
      if (left > 0) byAddress.set(address, left)
      else byAddress.delete(address)
    })
  })
  server.on('upgrade', ({ socket }: IncomingMessage) => idle.delete(socket))
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket)
    const own = (unanswered.get(socket) ?? 0) + 1
    unanswered.set(socket, own)
    if (own > unansweredAtMost && !socket.destroyed) {
      onRefused('connections')
      socket.destroy()
    }
    response.once('close', () => {
      const left = (unanswered.get(socket) ?? 1) - 1
      unanswered.set(socket, left)
      if (left === 0 && !socket.destroyed) idle.add(socket)
    })
  })
}
