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

/** Reads media slowly, and carries the connections between messaging and the S3 store. */
export interface SlowReaders {
  /** Messaging reaches the store at this port. */
  readonly port: number
  /** Keeps the connections to the store open but forwards nothing. */
  hang(): Promise<void>
  restore(): Promise<void>
  /** Starts these readers, and resolves once each has received the beginning of its answer. */
  read(readers: readonly SlowReader[]): Promise<void>
  stopReading(): Promise<void>
  close(): Promise<void>
}

/** Starts the readers in a thread of their own, so that their bytes do not delay the measurements of the test. */
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
