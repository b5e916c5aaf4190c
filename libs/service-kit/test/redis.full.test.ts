import { once } from 'node:events'
import { createHintPublisher, maxPendingHints } from '@sumlock/service-kit/hint-publisher'
import { createLogger } from '@sumlock/service-kit/logger'
import { createRedis } from '@sumlock/service-kit/redis'
import { randomNamespace, testEngines } from '@sumlock/testing/test-engines'
import { createTcpProxy } from '@sumlock/testing/faults/tcp-proxy'
import { eventually } from '@sumlock/testing/wait'
import type { Redis } from 'ioredis'
import { Registry } from 'prom-client'

const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
const channel = randomNamespace()

const opened: (() => unknown)[] = []
afterAll(() => Promise.all(opened.map((close) => close())))

/** Opens a proxy to Redis for one test, because the tests run concurrently, and a function that connects through it. */
async function openWire() {
  const url = new URL((await testEngines()).addresses.redisUrl)
  const wire = await createTcpProxy(Number(url.port))
  url.port = String(wire.port)
  const connect = async (options: { subscriber?: boolean } = {}): Promise<Redis> => {
    const redis = createRedis(url.href, logger, options)
    opened.push(() => redis.disconnect())
    if (redis.status !== 'ready') await once(redis, 'ready')
    return redis
  }
  opened.push(() => wire.close())
  return { wire, connect }
}

const becomes = (redis: Redis, isReady: boolean) =>
  eventually(() => expect(redis.status === 'ready').toBe(isReady), { timeoutMs: 10_000 })

describe('a connection to a Redis that hangs', () => {
  it.concurrent.each([true, false])('is closed and reconnects (subscriber: %s)', async (subscriber) => {
    const { wire, connect } = await openWire()
    const redis = await connect({ subscriber })
    if (subscriber) await redis.subscribe(channel)
    wire.hang()
    await becomes(redis, false)
    wire.restore()
    await becomes(redis, true)
    if (!subscriber) return
    const heard = once(redis, 'message')
    await (await connect()).publish(channel, 'again')
    expect(await heard).toEqual([channel, 'again'])
  })

  it.concurrent('fails a command within a second', async () => {
    const { wire, connect } = await openWire()
    const redis = await connect()
    wire.hang()
    await expect(redis.get('anything')).rejects.toThrow('Command timed out')
  })

  it.concurrent('stays open while Redis answers', async () => {
    const { connect } = await openWire()
    const redis = await connect({ subscriber: true })
    await redis.subscribe(channel)
    const closed = once(redis, 'close').then(() => 'closed')
    // Four pings and their answers.
    const quiet = new Promise((resolve) => setTimeout(resolve, 4500, 'quiet'))
    expect(await Promise.race([closed, quiet])).toBe('quiet')
  })
})

it('a subscriber whose right to a channel is taken away names the channel in its log and goes on', async () => {
  const { redisUrl } = (await testEngines()).addresses
  const admin = createRedis(redisUrl, logger)
  const url = Object.assign(new URL(redisUrl), { username: randomNamespace(), password: 'x' })
  const allow = (...channels: string[]) =>
    admin.call('ACL', 'SETUSER', url.username, 'on', '>x', 'resetchannels', ...channels, '+@all')
  const lines: string[] = []
  const settings = { service: 'test', instance: 'test', level: 'warn' }
  const [kept, lost] = [randomNamespace(), randomNamespace()]
  if (admin.status !== 'ready') await once(admin, 'ready')
  await allow(`&${kept}`, `&${lost}`)
  const watched = createLogger(settings, { write: (line) => void lines.push(line) })
  const redis = createRedis(url.href, watched, { subscriber: true })
  opened.push(
    () => redis.disconnect(),
    () => admin.disconnect(),
  )
  await redis.subscribe(kept, lost)
  // Redis closes the connection of a subscriber that loses a right.
  await allow(`&${kept}`)
  await eventually(() => {
    expect(lines.join('')).toContain('NOPERM')
    expect(lines.join('')).toContain(lost)
  })
  expect(redis.status).toBe('ready')
  await admin.call('ACL', 'DELUSER', url.username)
})

describe('the hint publisher', () => {
  it.concurrent(
    'keeps a bounded number of hints while Redis hangs, drops the rest and publishes again afterwards',
    async () => {
      const { wire, connect } = await openWire()
      const redis = await connect()
      const registry = new Registry()
      const hints = createHintPublisher(redis, registry)
      const figure = async (name: string) =>
        ((await registry.getSingleMetric(name)?.get())?.values ?? []).reduce(
          (sum, { value }) => sum + value,
          0,
        )
      wire.hang()
      const published = Array.from({ length: 5 * maxPendingHints }, () => hints.publish(channel, 'x'))
      expect(await figure('redis_hints_pending')).toBeLessThanOrEqual(maxPendingHints)
      await Promise.all(published)
      expect(await figure('redis_hints_dropped_total')).toBe(5 * maxPendingHints)
      await becomes(redis, false)
      wire.restore()
      await becomes(redis, true)
      await hints.publish(channel, 'x')
      expect(await figure('redis_hints_dropped_total')).toBe(5 * maxPendingHints)
      expect(await figure('redis_hints_pending')).toBe(0)
    },
  )
})
