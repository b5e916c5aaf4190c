import { parentPort, workerData } from 'node:worker_threads'
import { readSlowly } from '../media.ts'
import { createTcpProxy } from './tcp-proxy.ts'
import type { Request, Started } from './slow-readers.ts'

const { storePort } = workerData as { storePort: number }
const wire = await createTcpProxy(storePort)
const reads = new Set<ReturnType<typeof readSlowly>>()
parentPort?.postMessage({ port: wire.port } satisfies Started)

parentPort?.on('message', (request: Request) => {
  void answer(request).then(() => parentPort?.postMessage('done'))
})

async function answer(request: Request): Promise<void> {
  if (request === 'hang') return wire.hang()
  if (request === 'restore') return wire.restore()
  if (request === 'stop reading') {
    for (const read of reads) read.stop()
    await Promise.all([...reads].map(({ read }) => read))
    reads.clear()
    return
  }
  const begun = request.map(({ url, bytesPerSecond, ...client }) => readSlowly(client, url, bytesPerSecond))
  for (const read of begun) reads.add(read)
  await Promise.all(begun.map(({ hasBegun }) => hasBegun))
}
