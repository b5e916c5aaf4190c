import type { Socket as TcpSocket } from 'node:net'

/** Bytes that wait in memory for clients that read too slowly. */
interface UnreadBounds {
  perSocket: number
  /** The limit for all sockets of the process together. */
  total: number
}

/** The limit for one socket: twelve of the largest messages, not counting the megabytes in the system's buffers. */
const unreadBounds: UnreadBounds = { perSocket: 256 * 1024, total: 32 * 2 ** 20 }

const lookEveryMs = 1000

/** The part of a connection of Engine.IO that is needed here: its packets wait until it can write. */
interface Packets {
  on(event: 'packetCreate', listener: (packet: { data?: unknown }) => void): unknown
  on(event: 'flush' | 'close', listener: () => void): unknown
}

export interface SlowReaders {
  /** Watches a connection and the one below it, until it is closed. */
  watch(packets: Packets, connection: Pick<TcpSocket, 'writableLength' | 'destroy'>): void
  /** Cuts off sockets with too much unread; their clients reconnect and fetch. */
  cutOff(): void
  stop(): void
}

interface Watched {
  waiting: number
  connection: Pick<TcpSocket, 'writableLength' | 'destroy'>
}

const unreadOf = ({ waiting, connection }: Watched) => waiting + connection.writableLength

/**
 * Checks once a second which sockets leave too much unread. A client that reads nothing stays connected as long as it sends
 * heartbeats, and the events of its person would pile up in memory.
 */
export function watchSlowReaders(
  { perSocket, total }: UnreadBounds = unreadBounds,
  onCutOff: () => void = () => undefined,
): SlowReaders {
  const all = new Set<Watched>()
  const cutOff = () => {
    const unread = [...all]
      .map((watched) => ({ watched, bytes: unreadOf(watched) }))
      .filter(({ bytes }) => bytes > 0)
      .sort((a, b) => b.bytes - a.bytes)
    let sum = unread.reduce((before, { bytes }) => before + bytes, 0)
    for (const { watched, bytes } of unread) {
      if (bytes <= perSocket && sum <= total) return
      sum -= bytes
      all.delete(watched)
      onCutOff()
      watched.connection.destroy()
    }
  }
  const timer = setInterval(cutOff, lookEveryMs).unref()
  return {
    watch(packets, connection) {
      const watched: Watched = { waiting: 0, connection }
      all.add(watched)
      packets.on('packetCreate', ({ data }) => {
        watched.waiting += typeof data === 'string' ? data.length : 0
      })
      packets.on('flush', () => (watched.waiting = 0))
      packets.on('close', () => all.delete(watched))
    },
    cutOff,
    stop: () => clearInterval(timer),
  }
}
