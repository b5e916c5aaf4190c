import type { Redis } from 'ioredis'
import { Registry } from 'prom-client'
import { createHintPublisher, maxPendingHints } from './hint-publisher.ts'

/** A connection whose server accepts everything that is published until the test changes that. */
function connection() {
  const taken: string[] = []
  const redis = {
    status: 'ready',
    commandQueue: { length: 0 },
    publish(channel: string) {
      if (channel === 'unanswered') return Promise.reject(new Error('Command timed out'))
      taken.push(channel)
      return Promise.resolve(1)
    },
  }
  const registry = new Registry()
  const hints = createHintPublisher(redis as unknown as Redis, registry)
  return { redis, hints, taken, registry }
}

it('publishes by the command of the connection, also when the adapter of Socket.IO publishes through it', async () => {
  const { redis, hints, taken } = connection()
  Object.assign(redis, { publish: hints.publish })
  expect(await redis.publish('ann')).toBe(true)
  expect(taken).toEqual(['ann'])
})

it('drops and counts a hint while Redis is away, answers nothing, or has too many to answer', async () => {
  const { redis, hints, taken, registry } = connection()
  expect(await hints.publish('unanswered', 'x')).toBe(false)
  redis.commandQueue.length = maxPendingHints
  expect(await hints.publish('ann', 'x')).toBe(false)
  redis.status = 'reconnecting'
  expect(await hints.publish('ann', 'x')).toBe(false)
  expect(taken).toEqual([])
  const { values } = await registry.getSingleMetric('redis_hints_dropped_total')!.get()
  expect(values.map(({ labels, value }) => [labels['reason'], value])).toEqual([
    ['unanswered', 1],
    ['full', 1],
    ['away', 1],
  ])
})
