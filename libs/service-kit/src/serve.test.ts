import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { closeServer, createBoundedServer, drainingHeader, announceDraining } from './serve.ts'

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
})

/** Status and headers of what a server answers. */
async function ask(app: RequestListener, draining: boolean) {
  const server = createServer(app)
  servers.push(server)
  announceDraining(server, { draining })
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
  ])('marks an answer that is sent %s with x-draining and closes the connection', async (_when, app) => {
    expect(await ask(app, true)).toEqual([200, 'close', 'yes'])
  })
})

it('keeps connections alive and sets no x-draining header while the service runs', async () => {
  expect(await ask(atOnce, false)).toEqual([200, 'keep-alive', null])
})

it.each([
  ['before', 100],
  ['after', 0],
])(
  'answers a request that arrived on an idle connection while the process got no CPU, before closing that connection (idle %s the stop began)',
  async (_when, closeAfterMs) => {
    const sent = new Int32Array(new SharedArrayBuffer(4))
    const blockEventLoop = () => Atomics.wait(sent, 0, 0, 5000)
    let inFlight: ServerResponse | undefined
    let asked = 0
    const server = createServer((_request, response) => {
      if ((asked += 1) === 1 && closeAfterMs === 0) inFlight = response
      else response.end('{}')
    })
    const closeIdle = server.closeIdleConnections.bind(server)
    server.closeIdleConnections = () => {
      closeIdle()
      // Busy when idle connections were closed, idle the next time, with an unread request.
      if (inFlight) setImmediate(blockEventLoop)
      inFlight = void inFlight?.end('{}')
    }
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const browser = new Worker(secondRequest, { eval: true, workerData: { port, sent } })
    const answered = once(browser, 'message')
    await once(server, 'request')
    await new Promise((resolve) => setTimeout(resolve, closeAfterMs))
    // The timer and the unread request imitate a machine that ran something else for a while.
    if (closeAfterMs > 0) blockEventLoop()
    const closed = closeServer(server)
    expect(await answered).toEqual([{ answers: 2 }])
    await closed
  },
)

it('answers connections that were waiting to be accepted when the stop began', async () => {
  const server = createServer(atOnce)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const sent = new Int32Array(new SharedArrayBuffer(4))
  const browsers = new Worker(manyRequests, { eval: true, workerData: { port, sent } })
  const outcome = once(browsers, 'message')
  Atomics.wait(sent, 0, 0, 5000)
  const closed = closeServer(server)
  expect(await outcome).toEqual([{ answers: 20, resets: 0 }])
  await closed
})

it('leaves no timer behind when it has closed a server', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
  const server = createServer(atOnce)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const before = timers()
  await closeServer(server)
  // A timer of an earlier test may have ended meanwhile.
  expect(timers()).toBeLessThanOrEqual(before)
})

it('closes a connection whose client reads nothing of an answer', async () => {
  const server = createBoundedServer((_request, response) => response.end('x'.repeat(16_000_000)), {
    stalledMs: 200,
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => undefined).pause()
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const [connection] = await accepted
  await once(connection, 'close')
  client.destroy()
}, 5000)

const serveModule = new URL('serve.ts', import.meta.url).href

describe('a service that receives SIGTERM and SIGINT', () => {
  /** Exit code and events of a service whose `close` is the given function. */
  const stopped = (close: string) => {
    const program = `
      import { runMain, serve } from ${JSON.stringify(serveModule)}
      const events = []
      const note = (event) => events.push(event)
      const app = (request, response) => response.end()
      const health = { checks: {}, draining: false }
      const log = (fields, text) => note(text ?? fields)
      const logger = { info: log, error: log }
      setInterval(() => undefined, 60_000)
      const config = { HOST: '127.0.0.1', PORT: 0, INTERNAL_PORT: 0, DRAIN_DELAY_MS: 20 }
      process.on('exit', () => process.stdout.write(JSON.stringify(events)))
      runMain(async () => {
        const stop = await serve({ config, logger, health, openers: [], close: ${close} }, {
          publicApp: app,
          internalApp: app,
          onServer: (server) => server.on('close', () => note('port closed')),
          drain: async () => note(health.draining ? 'drained' : 'was ready'),
        })
        note(Object.keys(health.checks).join())
        setImmediate(() => {
          process.kill(process.pid, 'SIGTERM')
          process.kill(process.pid, 'SIGINT')
        })
        return stop
      })`
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
      timeout: 10_000,
    })
    return { status, events: JSON.parse(stdout) as unknown }
  }

  const stopping = ['service is listening', 'warm-up', 'service is stopping', 'drained', 'port closed']

  it('stops once, in order, and ends with code 0', () => {
    const events = [...stopping, 'closed', 'service has stopped']
    expect(stopped(`async () => note('closed')`)).toEqual({ status: 0, events })
  })

  it('ends with code 1 when it cannot close', () => {
    const events = [...stopping, 'service could not stop cleanly']
    expect(stopped(`() => Promise.reject(new Error('no'))`)).toEqual({ status: 1, events })
  })
})

describe('a service whose start fails', () => {
  const start = (error: string) =>
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { runMain } from ${JSON.stringify(serveModule)}
         runMain(() => Promise.reject(${error}))`,
      ],
      { encoding: 'utf8' },
    )

  it('logs only the message of a configuration error as JSON, and ends with code 1', () => {
    const { status, stderr } = start(`Object.assign(new Error('PORT is missing'), { name: 'ConfigError' })`)
    expect(JSON.parse(stderr)).toEqual({ level: 60, time: expect.any(Number), msg: 'PORT is missing' })
    expect(status).toBe(1)
  })

  it('logs the stack of any other error as JSON, and ends with code 1', () => {
    const { status, stderr } = start(`new Error('no connection')`)
    expect(JSON.parse(stderr)).toMatchObject({
      msg: 'service could not start',
      err: { stack: expect.stringMatching(/^Error: no connection\n {4}at /) },
    })
    expect(status).toBe(1)
  })
})

it('refuses connections beyond the maximum', async () => {
  const server = createBoundedServer(atOnce, { maxConnections: 1 })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const first = connect(port, '127.0.0.1')
  await once(server, 'connection')
  const second = connect(port, '127.0.0.1')
  await once(second.resume(), 'close')
  expect(first.destroyed).toBe(false)
  first.destroy()
}, 5000)

it('answers 431 to a request with more bytes of headers than allowed', async () => {
  const server = createBoundedServer(atOnce, { maxHeaderBytes: 8192 })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const statusWith = async (bytes: number) =>
    (await fetch(`http://127.0.0.1:${port}/`, { headers: { 'x-long': 'x'.repeat(bytes) } })).status
  expect(await statusWith(7500)).toBe(200)
  expect(await statusWith(8200)).toBe(431)
})

it('keeps a connection whose client reads a large answer slowly', async () => {
  const size = 16_000_000
  const server = createBoundedServer((_request, response) => response.end('x'.repeat(size)), {
    stalledMs: 1000,
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  let received = 0
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    received += chunk.length
    // The whole transfer takes about four times as long as the connection may stand still.
    if (received % 1_000_000 < chunk.length) await new Promise((resolve) => setTimeout(resolve, 250))
  }
  expect(received).toBe(size)
})

/** Opens twenty connections with a request each before the server accepts any, then reports answers and resets. */
const manyRequests = `
  const { connect } = require('node:net')
  const { parentPort, workerData } = require('node:worker_threads')
  const outcome = { answers: 0, resets: 0 }
  const sockets = Array.from({ length: 20 }, () => connect(workerData.port, '127.0.0.1'))
  let connected = 0
  let closed = 0
  for (const socket of sockets) {
    socket.on('connect', () => {
      socket.write('GET / HTTP/1.1\\r\\nhost: localhost\\r\\n\\r\\n')
      if ((connected += 1) < sockets.length) return
      setTimeout(() => {
        Atomics.store(workerData.sent, 0, 1)
        Atomics.notify(workerData.sent, 0)
      }, 50)
    })
    socket.on('data', () => (outcome.answers += 1))
    socket.on('error', () => (outcome.resets += 1))
    socket.on('close', () => {
      if ((closed += 1) === sockets.length) parentPort.postMessage(outcome)
    })
  }
`

/** Sends two requests over one connection, and counts the answers when it is closed. */
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
