import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { drainingHeader, sayWhenDraining } from './serve.ts'

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
})

/** Status and headers of what a server answers. */
async function ask(app: RequestListener, draining: boolean) {
  const server = createServer(app)
  servers.push(server)
  sayWhenDraining(server, { draining })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { status, headers } = await fetch(`http://127.0.0.1:${port}/`)
  return [status, headers.get('connection'), headers.get(drainingHeader)]
}

const atOnce: RequestListener = (_request, response) => response.end('{}')
const later: RequestListener = (_request, response) => {
  setImmediate(() => response.end('{}'))
}

describe('a service that is stopping', () => {
  it.each([
    ['at once', atOnce],
    ['later', later],
  ])('says so with an answer it gives %s, and goes on', async (_when, app) => {
    expect(await ask(app, true)).toEqual([200, 'close', 'yes'])
  })
})

it('says nothing of the kind while it serves', async () => {
  expect(await ask(atOnce, false)).toEqual([200, 'keep-alive', null])
})
