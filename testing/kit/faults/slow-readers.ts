import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Client } from '@sumlock/deployment/api-client'

export interface SlowReader extends Pick<Client, 'gatewayUrl' | 'cookieHeader' | 'origin'> {
  url: string
  bytesPerSecond: number
}
export type Request = 'hang' | 'restore' | 'stop reading' | SlowReader[]
export interface Started {
  port: number
}

/** Slow readers of media and the wire between messaging and the store. */
export interface SlowReaders {
  /** The store's port for messaging. */
  readonly port: number
  /** Keeps the store's connections open and forwards nothing. */
  hang(): Promise<void>
  restore(): Promise<void>
  /** Resolves once all these reads have begun. */
  read(readers: readonly SlowReader[]): Promise<void>
  stopReading(): Promise<void>
  close(): Promise<void>
}

/** It runs in a thread of its own, so that its bytes do not delay the measurements of the test. */
export async function startSlowReaders(storePort: number): Promise<SlowReaders> {
  const worker = new Worker(new URL('slow-readers-worker.ts', import.meta.url), { workerData: { storePort } })
  const answered = once(worker, 'message') as Promise<[Started]>
  const [{ port }] = await answered
  const ask = async (request: Request) => {
    const done = once(worker, 'message')
    worker.postMessage(request)
    await done
  }
  return {
    port,
    hang: () => ask('hang'),
    restore: () => ask('restore'),
    read: (readers) => ask([...readers]),
    stopReading: () => ask('stop reading'),
    close: async () => void (await worker.terminate()),
  }
}
