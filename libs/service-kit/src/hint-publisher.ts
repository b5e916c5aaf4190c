import type { Redis } from 'ioredis'
import { Counter, Gauge } from 'prom-client'
import type { Registry } from 'prom-client'

/** At 2 kB each, what waits for an answer of Redis stays at 2 MB. */
export const pendingHintsAtMost = 1000

export interface HintPublisher {
  /** Resolves once Redis took the hint, refused it, or it was dropped. Never rejects. */
  publish(channel: string, text: string | Buffer): Promise<void>
}

/**
 * Publishes what may be lost. A hint is dropped and counted while Redis is away, or while `pendingHintsAtMost` wait for
 * its answer. `redis` serves this publisher alone.
 */
export function createHintPublisher(redis: Redis, registry: Registry): HintPublisher {
  const registers = [registry]
  const send: (channel: string, text: string | Buffer) => Promise<number> = redis.publish.bind(redis)
  // Not what callers wait for: a command that timed out stays in the connection's queue.
  const pending = () => redis.commandQueue.length
  const dropped = new Counter({
    name: 'redis_hints_dropped_total',
    help: 'Hints that were not published: Redis was away or left it unanswered, or too many waited for its answer (full)',
    labelNames: ['reason'] as const,
    registers,
  })
  new Gauge({
    name: 'redis_hints_pending',
    help: 'Hints that wait for an answer of Redis',
    registers,
    collect() {
      this.set(pending())
    },
  })
  const drop = (reason: 'away' | 'full' | 'unanswered') => dropped.inc({ reason })

  return {
    async publish(channel, text) {
      if (redis.status !== 'ready') return drop('away')
      if (pending() >= pendingHintsAtMost) return drop('full')
      try {
        await send(channel, text)
      } catch {
        drop('unanswered')
      }
    },
  }
}
