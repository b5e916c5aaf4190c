import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkFactors, networksOf } from '@sumlock/service-kit/client-address'

export interface ConnectionBounds {
  /**
   * At most this many connections may be open. While more than four fifths of them are, each new one closes the one that
   * has been idle longest.
   */
  total: number
  /** An IPv4 address or an IPv6 /64 may have this many connections, a /56 four times and a /48 16 times as many. */
  perAddress: number
}

/** An address may belong to a whole office or carrier, and one browser opens up to seven connections. */
export const connectionsPerAddress = 512
/** The headers of one request may have this many bytes. */
export const maxHeaderBytes = 8192
const idleShare = 0.8
/** A connection may have this many unanswered requests. Browsers wait for each answer before the next request. */
const unansweredAtMost = 16

/** Counts the connections that a server refuses because it has `maxConnections`. */
export function countDropped(server: Server, onRefused: (reason: 'connections') => void): void {
  server.on('drop', () => onRefused('connections'))
}

/**
 * Limits the connections of a server that browsers reach directly. Behind a proxy all connections would have one address,
 * so the proxy limits them itself. A connection is idle while all its requests are answered; an upgraded one is never idle.
 * A connection with too many unanswered requests is closed.
 */
export function limitConnections(
  server: Server,
  { total, perAddress }: ConnectionBounds,
  onRefused: (reason: 'connections') => void,
): void {
  const byNetwork = new Map<string, number>()
  /** The connection that has been idle longest comes first. */
  const idle = new Set<Socket>()
  /** The last answers of a connection may end after the connection itself, so the counts must not keep its socket in memory. */
  const unanswered = new WeakMap<Socket, number>()
  let open = 0

  const closeLongestIdle = () => {
    const [longest] = idle
    if (!longest) return
    idle.delete(longest)
    longest.destroy()
  }

  server.prependListener('connection', (socket: Socket) => {
    const networks = networksOf(socket.remoteAddress ?? '')
    const isFull = networks.some(
      (network, index) => (byNetwork.get(network) ?? 0) >= perAddress * (networkFactors[index] ?? 1),
    )
    if (isFull) {
      onRefused('connections')
      socket.destroy()
      return
    }
    for (const network of networks) byNetwork.set(network, (byNetwork.get(network) ?? 0) + 1)
    open += 1
    if (open > idleShare * total) closeLongestIdle()
    idle.add(socket)
    socket.once('close', () => {
      open -= 1
      idle.delete(socket)
      for (const network of networks) {
        const left = (byNetwork.get(network) ?? 1) - 1
        if (left > 0) byNetwork.set(network, left)
        else byNetwork.delete(network)
      }
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
