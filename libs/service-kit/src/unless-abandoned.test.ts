import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { createBoundedServer } from './serve.ts'

it('a busy process does no work for clients that gave up before it accepted them, and answers the clients that still wait', async () => {
  const worked: (string | undefined)[] = []
  const server = createBoundedServer((request, response) => {
    worked.push(request.url)
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const sent = new Int32Array(new SharedArrayBuffer(4))
  const clients = new Worker(impatientClients, { eval: true, workerData: { port, sent } })
  const answered = once(clients, 'message')
  Atomics.wait(sent, 0, 0, 5000)
  expect(await answered).toEqual(['200 200'])
  server.close()
  expect(worked).toEqual(['/waits', '/again'])
})

/** Twenty of them give up; the last one waits, and asks twice over its connection. */
const impatientClients = `
  const { once } = require('node:events')
  const { Agent, get } = require('node:http')
  const { connect } = require('node:net')
  const { parentPort, workerData } = require('node:worker_threads')
  const { port, sent } = workerData
  const agent = new Agent({ keepAlive: true })
  const ask = async (path) => {
    const [answer] = await once(get({ port, path, agent }), 'response')
    answer.resume()
    await once(answer, 'end')
    return answer.statusCode
  }
  const giveUp = async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    await new Promise((resolve) => socket.write('GET /gave-up HTTP/1.1\\r\\nhost: localhost\\r\\n\\r\\n', resolve))
    socket.destroy()
    await once(socket, 'close')
  }
  Promise.all(Array.from({ length: 20 }, giveUp)).then(async () => {
    const waiting = ask('/waits')
    Atomics.store(sent, 0, 1)
    Atomics.notify(sent, 0)
    const first = await waiting
    const second = await ask('/again')
    agent.destroy()
    parentPort.postMessage(first + ' ' + second)
  })
`
