import type { Socket as TcpSocket } from 'node:net'

/** Limits the bytes that wait in memory for clients that read too slowly. */
interface UnreadBounds {
  perSocket: number
  /** All sockets of the process together may leave this many bytes unread. */
  total: number
}

/**
 * One socket may leave as many bytes unread as twelve of the largest messages have. Megabytes more may wait in the buffers
 * of the operating system.
 */
const unreadBounds: UnreadBounds = { perSocket: 256 * 1024, total: 32 * 2 ** 20 }

const lookEveryMs = 1000

/** These events of an Engine.IO connection are needed here: a created packet waits in memory until the next flush. */
interface Packets {
  on(event: 'packetCreate', listener: (packet: { data?: unknown }) => void): unknown
  on(event: 'flush' | 'close', listener: () => void): unknown
}

export interface SlowReaders {
  /** Watches an Engine.IO connection and the TCP connection below it, until the former is closed. */
  watch(packets: Packets, connection: Pick<TcpSocket, 'writableLength' | 'destroy'>): void
  /** Destroys connections with too many unread bytes; their clients reconnect and fetch. */
  cutOff(): void
  stop(): void
}

interface Watched {
  waiting: number
  connection: Pick<TcpSocket, 'writableLength' | 'destroy'>
}

const unreadOf = ({ waiting, connection }: Watched) => waiting + connection.writableLength

/**
 * Checks once a second which sockets leave too many bytes unread. A client that reads nothing stays connected as long as it
 * sends heartbeats, and the events of its person would pile up in memory.
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
