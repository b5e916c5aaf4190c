import { keptByEach } from '@sumlock/testing/own-process'

const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/** Bytes by which the old generation grows per request, over 3000 requests on eight connections. */
const keptPerRequest = () =>
  keptByEach(
    3000,
    `
    import { Agent, createServer, get } from 'node:http'
    import { once } from 'node:events'
    import { createHttpApp, finishApp } from ${at('../../../../libs/service-kit/src/http-app.ts')}
    import { createMetrics } from ${at('../../../../libs/service-kit/src/metrics.ts')}
    import { runStages } from ${at('upstream-request.ts')}
    const logger = { isLevelEnabled: () => false, warn() {}, error() {} }
    const options = { logger, metrics: createMetrics('test') }
    const app = createHttpApp(options)
    app.use('/api', runStages([({ response, route }) => response.json({ path: route.path })], { COOKIE_SECURE: false }))
    const server = createServer(finishApp(app, options)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    const { port } = server.address()
    const send = () => new Promise((resolve, reject) => get({ agent, port, path: '/api/csrf-token' }, (answer) => {
      answer.resume().once('end', resolve)
    }).once('error', reject))
    const runMany = async (count) => {
      for (let sent = 0; sent < count; sent += 8) await Promise.all(Array.from({ length: 8 }, send))
    }`,
  )

it('leaves less than 2 kB of a request to the old generation', () => {
  const bytes = keptPerRequest()
  expect(bytes).toBeLessThan(2000)
  // A full collection would have hidden it.
  expect(bytes).toBeGreaterThan(-500)
})
