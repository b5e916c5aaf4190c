import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { closeServer, drainingHeader, sayWhenDraining } from './serve.ts'

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

it('answers what came over an idle connection while it had no processor, before it closes that connection', async () => {
  const server = createServer(atOnce)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const sent = new Int32Array(new SharedArrayBuffer(4))
  const browser = new Worker(secondRequest, { eval: true, workerData: { port, sent } })
  const answered = once(browser, 'message')
  await once(server, 'request')
  await new Promise((resolve) => setTimeout(resolve, 100))
  // Out of a timer and with a request unread, as on a machine that ran something else for a while.
  Atomics.wait(sent, 0, 0, 5000)
  const closed = closeServer(server)
  expect(await answered).toEqual([{ answers: 2 }])
  await closed
})

/** Asks once, a little later again over the same connection, says so, and counts the answers when it is closed. */
const secondRequest = `
  const { connect } = require('node:net')
  const { parentPort, workerData } = require('node:worker_threads')
  const { port, sent } = workerData
  let answers = 0
  const socket = connect(port, '127.0.0.1')
  const ask = () => socket.write('GET / HTTP/1.1\\r\\nhost: localhost\\r\\n\\r\\n')
  socket.on('data', (chunk) => {
    answers += 1
    if (answers > 1) return
    setTimeout(() => {
      ask()
      setTimeout(() => {
        Atomics.store(sent, 0, 1)
        Atomics.notify(sent, 0)
      }, 50)
    }, 200)
  })
  socket.on('error', () => undefined)
  socket.on('close', () => parentPort.postMessage({ answers }))
  ask()
`
