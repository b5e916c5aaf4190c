import { readFile } from 'node:fs/promises'
import { serviceRuntime } from '@sumlock/dev/product/services'

/** Opens the inspector of a service on a free port of the loopback, which its log names. */
export const inspectable = { NODE_OPTIONS: `${serviceRuntime['NODE_OPTIONS'] ?? ''} --inspect=127.0.0.1:0` }

interface HeapUsage {
  usedSize: number
  embedderHeapUsedSize?: number
  backingStorageSize?: number
}

/** Bytes that a process started with `inspectable` still holds after a full garbage collection. */
export async function liveHeap(logFile: string): Promise<number> {
  const [, address] = /Debugger listening on (ws:\S+)/.exec(await readFile(logFile, 'utf8')) ?? []
  if (address === undefined)
    throw new Error(`${logFile} names no inspector: start the service with "inspectable".`)
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () =>
      reject(new Error(`The inspector at ${address} refused the connection.`)),
    )
  })
  const call = (id: number, method: string) =>
    new Promise<unknown>((resolve, reject) => {
      socket.addEventListener('close', () =>
        reject(new Error(`The inspector closed before it answered ${method}.`)),
      )
      socket.addEventListener('message', ({ data }) => {
        const answer = JSON.parse(String(data)) as { id?: number; result?: unknown }
        if (answer.id === id) resolve(answer.result)
      })
      socket.send(JSON.stringify({ id, method }))
    })
  try {
    await call(1, 'HeapProfiler.collectGarbage')
    const usage = (await call(2, 'Runtime.getHeapUsage')) as HeapUsage
    return usage.usedSize + (usage.embedderHeapUsedSize ?? 0) + (usage.backingStorageSize ?? 0)
  } finally {
    socket.close()
  }
}
