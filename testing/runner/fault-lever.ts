import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Engines } from '@sumlock/dev/engines/engines'

const levers = /^\/(redis|kafka|mongo)\/(kill|start)$/

/** A server on loopback through which a test in another process kills an engine and starts it again. */
export async function openFaultLever(engines: Engines): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    const [, name, lever] = levers.exec(request.url ?? '') ?? []
    const engine = name === undefined ? undefined : engines.engine(name as 'redis' | 'kafka' | 'mongo')
    const pulled =
      request.method !== 'POST' || !engine
        ? Promise.reject(new Error('no such lever'))
        : lever === 'kill'
          ? engine.kill('SIGKILL')
          : engine.start()
    pulled.then(
      () => response.writeHead(204).end(),
      (error: unknown) => response.writeHead(400).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
