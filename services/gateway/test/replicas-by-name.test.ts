import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { login } from '@sumlock/contracts/auth-routes'
import { createHttpApp, finishApp } from '@sumlock/service-kit/http-app'
import { createLogger } from '@sumlock/service-kit/logger'
import { createMetrics } from '@sumlock/service-kit/metrics'
import { eventually } from '@sumlock/testing/wait'
import type { Context } from '../src/context.ts'
import { resolveReplicas } from '../src/infrastructure/resolve-replicas.ts'
import { createUpstream } from '../src/infrastructure/upstream.ts'
import { forward } from '../src/pipeline/forward.ts'
import { runStages } from '../src/pipeline/upstream-request.ts'

const logger = createLogger({ service: 'gateway', instance: 'test', level: 'silent' })
const metrics = createMetrics('gateway')
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const replica = (address: string) => createServer((_request, response) => response.end(address))

/** A gateway before one service whose name resolves to `addresses`, all with the same port. */
async function startGateway(addresses: string[]) {
  const port = await listen(replica(addresses[0] ?? ''), 0, addresses[0] ?? '')
  for (const address of addresses.slice(1)) await listen(replica(address), port, address)
  const urls = [`http://auth.test:${port}`]
  const upstream = createUpstream(urls, 4)
  closing.push(() => upstream.agent.destroy())
  const resolver = resolveReplicas({ urls, upstream, logger, lookup: () => Promise.resolve(addresses) })
  closing.push(resolver.stop)

  const config = {
    COOKIE_SECURE: false,
    UPSTREAM_TIMEOUT_MS: 20_000,
    UPSTREAM_QUEUE_TIMEOUT_MS: 7000,
    UPSTREAM_RETRY_WITHIN_MS: 4000,
  }
  const sessions = { forgetSession: () => undefined, forgetCookie: () => undefined }
  const ctx = { config, logger, metrics, sessions, upstreams: { auth: upstream } }
  const app = createHttpApp({ logger, metrics })
  const noUpstream = { agent: upstream.agent }
  Object.assign(ctx.upstreams, {
    messaging: noUpstream,
    billing: noUpstream,
    notify: noUpstream,
    streams: noUpstream,
  })
  app.use(runStages([forward(ctx as unknown as Context)], config))
  const gatewayPort = await listen(createServer(finishApp(app, { logger, metrics })), 0, '127.0.0.1')
  /** Returns the replicas that answered this many changes. */
  const askMany = async (count: number) => {
    const answers = await Promise.all(
      Array.from({ length: count }, async () => {
        const answer = await fetch(`http://127.0.0.1:${gatewayPort}${login.path}`, { method: 'POST' })
        return answer.text()
      }),
    )
    return [...new Set(answers)].sort()
  }
  return { askMany, resolver, upstream }
}

it('uses both replicas of one name, and stops using one that disappears from DNS', async () => {
  const addresses = ['127.0.0.1', '127.0.0.2']
  const { askMany, resolver } = await startGateway(addresses)
  await eventually(async () => expect(await askMany(8)).toEqual(['127.0.0.1', '127.0.0.2']))
  addresses.pop()
  resolver.kick()
  await eventually(async () => expect(await askMany(8)).toEqual(['127.0.0.1']))
  expect(await askMany(20)).toEqual(['127.0.0.1'])
})

it('skips a replica that is still in DNS but cannot be reached', async () => {
  const addresses = ['127.0.0.1']
  const { askMany, resolver, upstream } = await startGateway(addresses)
  // No process listens there.
  addresses.push('127.0.0.3')
  resolver.kick()
  await eventually(() => expect(upstream.targets.count).toBe(2))
  expect(await askMany(20)).toEqual(['127.0.0.1'])
})
