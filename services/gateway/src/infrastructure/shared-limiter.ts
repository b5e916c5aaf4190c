import { rateKeys, redisChannel } from '@sumlock/contracts/redis-channels'
import type { createRedis } from '@sumlock/service-kit/redis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'

/** Redis is not used for this time after it failed or answered too late. */
const restMs = 1000

export interface Limiter {
  /** Takes points (one when absent) from this key; rejects with a RateLimiterRes when too few are left. */
  consume(key: string, points?: number): Promise<RateLimiterRes>
  /** Gives a point back. */
  reward(key: string): Promise<RateLimiterRes>
}

export type CreateLimiter = (options: { keyPrefix: string; points: number; duration: number }) => Limiter

/** Counts in the memory of this process alone. */
export const createLocalLimiter: CreateLimiter = (options) => new RateLimiterMemory(options)

/**
 * Creates limits that all gateways share through Redis. While Redis is down or answers too late, each process counts by
 * itself, so that all gateways together allow more. No request waits longer than `timeoutMs`.
 */
export function createSharedLimiters(
  redis: ReturnType<typeof createRedis>,
  namespace: string,
  timeoutMs: number,
): CreateLimiter {
  let restUntilMs = 0
  let isFailing = false

  const attempt = async <T>(shared: () => Promise<T>, local: () => Promise<T>): Promise<T> => {
    const nowMs = performance.now()
    if (nowMs < restUntilMs) return local()
    // After a rest a single request tries Redis again; the others do not wait for it.
    if (isFailing) restUntilMs = nowMs + restMs
    try {
      const result = await within(timeoutMs, shared())
      isFailing = false
      restUntilMs = 0
      return result
    } catch (error) {
      if (error instanceof RateLimiterRes) throw error
      isFailing = true
      restUntilMs = performance.now() + restMs
      return local()
    }
  }

  return ({ keyPrefix, ...options }) => {
    const local = new RateLimiterMemory({ keyPrefix, ...options })
    const shared = new RateLimiterRedis({
      storeClient: redis,
      rejectIfRedisNotReady: true,
      keyPrefix: redisChannel(namespace, rateKeys + keyPrefix),
      ...options,
    })
    return {
      consume: (key, points) =>
        attempt(
          () => shared.consume(key, points),
          () => local.consume(key, points),
        ),
      reward: (key) =>
        attempt(
          () => shared.reward(key),
          () => local.reward(key),
        ),
    }
  }
}

function within<T>(ms: number, result: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Redis did not answer within ${ms} ms`)), ms)
    result.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
