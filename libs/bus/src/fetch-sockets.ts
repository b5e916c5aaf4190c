import { connect as connectPlain, isIP } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ISocketFactory } from 'kafkajs'

const keepAliveDelayMs = 60_000
/** The number of Fetch in Kafka's protocol, behind four bytes of length. Source: Kafka protocol guide, API keys. */
const fetchApiKey = 1
/** Least time between two fetches of a connection: under load one fetch takes the records of many. The first one never waits. */
const fetchGapMs = 200
/** How kafkajs logs a connection that was closed on purpose. */
export const consumerStopped = 'the consumer was stopped'

export interface FetchSockets {
  socketFactory: ISocketFactory
  /** Closes the connections on which a fetch waits, so that a consumer stops at once. kafkajs keeps them apart. */
  interrupt(): void
}

/** The connections of one consumer. */
export function createFetchSockets(): FetchSockets {
  const fetching = new Set<Socket>()
  let isInterrupted = false
  const isFetch = (data: Buffer) => data.length >= 6 && data.readInt16BE(4) === fetchApiKey
  return {
    socketFactory({ host, port, ssl, onConnect }) {
      const name = isIP(host) ? {} : { servername: host }
      const socket = ssl
        ? connectTls({ host, port, ...name, ...ssl }, onConnect)
        : connectPlain({ host, port }, onConnect)
      socket.setKeepAlive(true, keepAliveDelayMs)
      socket.once('close', () => fetching.delete(socket))
      const write = socket.write.bind(socket) as (data: Buffer, encoding?: BufferEncoding) => boolean
      let lastFetchAt = -Infinity
      const fetch = (data: Buffer, encoding?: BufferEncoding) => {
        lastFetchAt = performance.now()
        // The consumer may have been stopped while it was about to fetch.
        if (isInterrupted) close(socket)
        else write(data, encoding)
      }
      return Object.assign(socket, {
        write(data: Buffer, encoding?: BufferEncoding) {
          if (!isFetch(data)) return !(isInterrupted && fetching.has(socket)) && write(data, encoding)
          fetching.add(socket)
          const waitMs = isInterrupted ? 0 : lastFetchAt + fetchGapMs - performance.now()
          if (waitMs > 0) setTimeout(() => fetch(data, encoding), waitMs)
          else fetch(data, encoding)
          return true
        },
      })
    },
    interrupt() {
      isInterrupted = true
      for (const socket of fetching) close(socket)
    },
  }
}

/**
 * With an error: at a mere end of the connection kafkajs closes the other one of the broker, too, on which the consumer is about
 * to leave its group. Source: kafkajs src/broker/index.js, `SEND_REQUEST`.
 */
const close = (socket: Socket) => void socket.destroy(new Error(consumerStopped))
