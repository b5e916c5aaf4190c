import { once } from 'node:events'
import { createServer, get as request } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defineRoute } from '@sumlock/contracts/route'
import { z } from 'zod'
import { unavailable } from './app-error.ts'
import { createRouteBinder } from './bind-route.ts'
import { createSessionGuard } from './caller.ts'
import { systemClock } from './clock.ts'
import { createHttpApp, finishApp } from './http-app.ts'
import { createLogger } from './logger.ts'
import { createMetrics } from './metrics.ts'
import { JsonStream } from './reply.ts'

const route = defineRoute({
  method: 'GET',
  path: '/stream',
  service: 'messaging',
  access: 'public',
  summary: '',
  responses: { 200: z.array(z.union([z.number(), z.string()])) },
  errors: [],
})

let elements: () => AsyncGenerator<number | string>
let server: Server
let url: string

beforeAll(async () => {
  const options = {
    logger: createLogger({ service: 't', instance: 't', level: 'silent' }),
    metrics: createMetrics('t'),
  }
  const app = createHttpApp(options)
  const guard = createSessionGuard([], systemClock(), 'messaging')
  const bind = createRouteBinder(app, { guard, config: { SUMLOCK_MODE: 'test' } })
  bind(route, () => new JsonStream(elements()))
  server = createServer(finishApp(app, options)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/stream`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

/** Yields after a turn of the event loop, as a database would. */
async function* counting(count: number, end?: Error) {
  for (let element = 1; element <= count; element += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    yield element
  }
  if (end) throw end
}

describe('a streamed answer', () => {
  it.each([0, 1, 3])('is a JSON array of %i elements', async (count) => {
    elements = () => counting(count)
    const answer = await fetch(url)
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(await answer.json()).toEqual(Array.from({ length: count }, (_, index) => index + 1))
  })

  it('has a status of its own when it fails before its first element', async () => {
    elements = () => counting(0, unavailable('messages'))
    expect((await fetch(url)).status).toBe(503)
  })

  it('breaks the connection when it fails later, so that a part never looks like the whole', async () => {
    elements = () => counting(2, new Error('the database is gone'))
    const answer = await fetch(url)
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow()
  })

  it('waits for a client that does not read, and ends with a client that leaves', async () => {
    let made = 0
    const ended = Promise.withResolvers<void>()
    const waiting = Promise.withResolvers<void>()
    elements = async function* () {
      try {
        for (; made < 5000; made += 1) {
          // No element was requested within a second, so the stream is waiting for the client.
          const timer = setTimeout(waiting.resolve, 1000)
          await new Promise((resolve) => setImmediate(resolve))
          yield 'x'.repeat(100_000)
          clearTimeout(timer)
        }
      } finally {
        ended.resolve()
      }
    }
    const call = request(url)
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    answer.pause()
    await waiting.promise
    expect(made).toBeLessThan(500)
    answer.destroy()
    await ended.promise
    expect(made).toBeLessThan(500)
  })
})
