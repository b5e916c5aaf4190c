import { once } from 'node:events'
import { createLogger } from '@sumlock/service-kit/logger'
import { createRedis } from '@sumlock/service-kit/redis'
import { randomNamespace, testEngines } from '@sumlock/testing/test-engines'
import { createTcpProxy } from '@sumlock/testing/faults/tcp-proxy'
import type { TcpProxy } from '@sumlock/testing/faults/tcp-proxy'
import { eventually } from '@sumlock/testing/wait'
import { createSharedLimiters } from '../src/infrastructure/shared-limiter.ts'
import type { Limiter } from '../src/infrastructure/shared-limiter.ts'
import { createVolumeLimit } from '../src/pipeline/volume-limit.ts'

const logger = createLogger({ service: 'gateway', instance: 'test', level: 'silent' })
let wire: TcpProxy
/** One shared limiter per gateway, with the usual time limit of 50 ms. */
let gateways: [Limiter, Limiter]
/** The same limiter with a time limit that a busy machine keeps, for tests in which time does not matter. */
let unhurriedGateways: [Limiter, Limiter]
const closing: (() => void)[] = []

/** Two processes' limiters of five points an hour, over one Redis. */
beforeEach(async () => {
  const url = new URL((await testEngines()).addresses.redisUrl)
  wire = await createTcpProxy(Number(url.port))
  url.port = String(wire.port)
  const namespace = randomNamespace()
  const limiter = async (timeoutMs: number) => {
    const redis = createRedis(url.href, logger)
    closing.push(() => redis.disconnect())
    await once(redis, 'ready')
    return createSharedLimiters(redis, namespace, timeoutMs)({ keyPrefix: 'test', points: 5, duration: 3600 })
  }
  gateways = [await limiter(50), await limiter(50)]
  unhurriedGateways = [await limiter(10_000), await limiter(10_000)]
})
afterEach(async () => {
  for (const close of closing.splice(0)) close()
  await wire.close()
})

/** Sends requests one after the other and counts those that get a point. */
async function granted(limiter: Limiter, requests: number, key = 'ann'): Promise<number> {
  let count = 0
  for (let number = 0; number < requests; number += 1) {
    await limiter.consume(key).then(
      () => (count += 1),
      () => undefined,
    )
  }
  return count
}

it('grants the points of a key once for all gateways together', async () => {
  const [first, second] = unhurriedGateways
  expect(await granted(first, 3)).toBe(3)
  expect(await granted(second, 10)).toBe(2)
  expect(await granted(first, 10)).toBe(0)
  expect(await granted(first, 10, 'bob')).toBe(5)
})

it('grants a point again after another gateway gave it back', async () => {
  const [first, second] = unhurriedGateways
  expect(await granted(first, 5)).toBe(5)
  await second.reward('ann')
  expect(await granted(first, 3)).toBe(1)
})

it('refuses in all gateways what nobody waited for, once their counts together exceed the limit', async () => {
  const [first, second] = unhurriedGateways.map((limiter) => createVolumeLimit(limiter, Date.now))
  const limits = [first, second].filter((limit) => limit !== undefined)
  for (const limit of limits) {
    for (let count = 0; count < 3; count += 1) expect(limit.take('ann')).toBe(0)
    await limit.flush()
  }
  await eventually(() => expect(Math.max(...limits.map((limit) => limit.take('ann')))).toBeGreaterThan(0))
  for (const limit of limits) await limit.flush()
  await eventually(() => {
    for (const limit of limits) expect(limit.take('ann')).toBeGreaterThan(3_500_000)
  })
  expect(limits.map((limit) => limit.take('bob'))).toEqual([0, 0])
})

it('limits each process separately, without delay, while Redis is away', async () => {
  wire.cut()
  for (const limiter of gateways) {
    const startedAt = performance.now()
    expect(await granted(limiter, 20)).toBe(5)
    expect(performance.now() - startedAt).toBeLessThan(900)
  }
})

it('limits each process separately while Redis hangs, delaying one request a second by 50 ms', async () => {
  wire.hang()
  for (const limiter of gateways) {
    const startedAt = performance.now()
    // Waiting for Redis each time would take a second.
    expect(await granted(limiter, 20)).toBe(5)
    expect(performance.now() - startedAt).toBeLessThan(900)
  }
})
