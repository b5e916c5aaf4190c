import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A flood keeps connections of strangers open to a port of this machine. */
export interface Flood {
  port: number
  /** This many connections are kept open; one that is closed is opened again. */
  connections: number
  /** The connections come from this many loopback addresses. */
  addresses: number
  /** At most this many connections are opened in a second. */
  perSecond: number
  /** Connections send these texts in turn after they are opened; an empty text sends nothing. */
  heads: readonly string[]
  /** Each connection sends one more byte at this interval, in milliseconds; without it, no more is sent. */
  trickleMs?: number
  /** The flood ends by itself after this time. */
  seconds: number
}

export interface FloodFigures {
  /** This counts all connections since the start. */
  opened: number
  open: number
  mostOpen: number
  /** This counts the answers by their HTTP status. */
  statuses: Record<string, number>
}

export interface RunningFlood {
  figures(): Promise<FloodFigures>
  /** Closes all connections and resolves with the last figures. */
  stop(): Promise<FloodFigures>
}

/** Starts a flood in its own thread, so that its connections do not delay the requests of the test. */
export function startFlood(flood: Flood): RunningFlood {
  const worker = new Worker(new URL('flood-worker.ts', import.meta.url), { workerData: flood })
  const figures = async () => {
    const answered = once(worker, 'message') as Promise<[FloodFigures]>
    worker.postMessage('figures')
    return (await answered)[0]
  }
  return {
    figures,
    async stop() {
      const last = await figures()
      await worker.terminate()
      return last
    },
  }
}
