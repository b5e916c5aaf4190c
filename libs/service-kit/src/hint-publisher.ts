import type { Redis } from 'ioredis'
import { Counter, Gauge } from 'prom-client'
import type { Registry } from 'prom-client'

/** So many unanswered hints take about 2 MB, at 2 kB each. */
export const maxPendingHints = 1000

export interface HintPublisher {
  /** Resolves with true once Redis has accepted the hint, and with false when the hint was dropped. Never rejects. */
  publish(channel: string, text: string | Buffer): Promise<boolean>
}

/**
 * Publishes hints, which may be lost. A hint is dropped and counted while Redis is away, or while `maxPendingHints`
 * are unanswered. No other code may use `redis`, because its queue is the number of unanswered hints.
 */
export function createHintPublisher(redis: Redis, registry: Registry): HintPublisher {
  const registers = [registry]
  // Socket.IO's adapter later replaces `redis.publish` by the function below, so the original is bound first.
  const send: (channel: string, text: string | Buffer) => Promise<number> = redis.publish.bind(redis)
  // A command that timed out still waits in the connection's queue, so the queue is counted instead of the promises.
  const pending = () => redis.commandQueue.length
  const dropped = new Counter({
    name: 'redis_hints_dropped_total',
    help: 'Hints that were not published: Redis was away or did not answer, or too many were unanswered (full)',
    labelNames: ['reason'] as const,
    registers,
  })
  new Gauge({
    name: 'redis_hints_pending',
    help: 'Hints that Redis has not answered yet',
    registers,
    collect() {
      this.set(pending())
    },
  })
  const drop = (reason: 'away' | 'full' | 'unanswered'): false => {
    dropped.inc({ reason })
    return false
  }

  return {
    async publish(channel, text) {
      if (redis.status !== 'ready') return drop('away')
      if (pending() >= maxPendingHints) return drop('full')
      try {
        await send(channel, text)
        return true
      } catch {
        return drop('unanswered')
      }
    },
  }
}
