import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Connections that strangers keep open to a port of this machine. */
export interface Flood {
  port: number
  /** The number of open connections; a closed one is opened again. */
  connections: number
  /** The number of loopback addresses that they come from. */
  addresses: number
  /** The most connections that are opened in a second. */
  perSecond: number
  /** The texts that connections send when they are open, in turn; an empty one sends nothing. */
  heads: readonly string[]
  /** The interval at which one more byte is sent, ms; none when absent. */
  trickleMs?: number
  /** The flood ends by itself after this time. */
  seconds: number
}

export interface FloodFigures {
  /** Connections opened since the start. */
  opened: number
  open: number
  mostOpen: number
  /** The connections that got an answer with this status. */
  statuses: Record<string, number>
}

export interface RunningFlood {
  figures(): Promise<FloodFigures>
  /** Closes all connections and resolves with the last figures. */
  stop(): Promise<FloodFigures>
}

/** It runs in a thread of its own, so that its connections do not delay the requests of the test. */
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
