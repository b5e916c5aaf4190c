import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { verifyNumericPassword } from '@sumlock/contracts/lock-routes'
import { createHttpApp, finishApp } from '@sumlock/service-kit/http-app'
import { createLogger } from '@sumlock/service-kit/logger'
import { createMetrics } from '@sumlock/service-kit/metrics'
import { eventually } from '@sumlock/testing/wait'
import { limitConcurrency } from './limits.ts'
import { runStages } from './upstream-request.ts'
import type { UpstreamRequest } from './upstream-request.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server that serves two requests at once. `/held` is kept unanswered; anything else gets a large answer at once. */
async function startServer() {
  const held: ServerResponse[] = []
  let requests = 0
  let refused = 0
  const options = {
    logger: createLogger({ service: 'gateway', instance: 'test', level: 'silent' }),
    metrics: createMetrics('gateway'),
  }
  const app = createHttpApp(options)
  app.use((_request, _response, next) => {
    requests += 1
    next()
  })
  const answer = async ({ request, response }: UpstreamRequest) => {
    if (request.path !== '/held') {
      response.end('x'.repeat(16_000_000))
      return
    }
    held.push(response)
    await once(response, 'close')
  }
  app.use(runStages([limitConcurrency(2, () => (refused += 1)), answer], { COOKIE_SECURE: false }))
  const server = createServer(finishApp(app, options) as RequestListener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method })
  return { port, ask, held, requests: () => requests, refused: () => refused }
}

it('answers 429 with Retry-After: 1 while as many requests as allowed are in flight', async () => {
  const { ask, held, refused } = await startServer()
  const first = ask('/held')
  const second = ask('/held')
  await eventually(() => expect(held).toHaveLength(2))
  const third = await ask('/')
  expect(third.status).toBe(429)
  expect(refused()).toBe(1)
  expect(third.headers.get('retry-after')).toBe('1')
  expect(await third.json()).toMatchObject({ code: 'too_many_requests' })
  const pin = await ask(verifyNumericPassword.path, 'POST')
  expect(pin.status).toBe(429)
  expect(pin.headers.get('retry-after')).toBeNull()
  for (const response of held) response.end()
  await Promise.all([first, second])
  expect((await ask('/')).status).toBe(200)
})

it('serves other clients while a connection pipelines requests and reads no answer', async () => {
  const { port, ask, requests } = await startServer()
  const socket = connect(port, '127.0.0.1')
  closing.push(() => socket.destroy())
  socket.on('error', () => undefined).pause()
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(3))
  await eventually(() => expect(requests()).toBe(3))
  expect((await ask('/')).status).toBe(200)
})

it('admits the next request after an answer failed', async () => {
  const { ask, held } = await startServer()
  const failing = [ask('/held'), ask('/held')]
  await eventually(() => expect(held).toHaveLength(2))
  for (const response of held) response.destroy()
  await Promise.allSettled(failing)
  await eventually(async () => expect((await ask('/')).status).toBe(200), { timeoutMs: 5000 })
})
