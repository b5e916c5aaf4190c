import type { RateLimit } from '@sumlock/contracts/route'
import { networkFactors, networksOf } from '@sumlock/service-kit/client-address'
import type { CreateLimiter, Limiter } from '../infrastructure/shared-limiter.ts'
import type { AdmissionRefusal } from '../metrics.ts'

/** A counter is one key of a limiter. `reason` labels its refusals in the metrics. */
export interface Counter {
  limiter: Limiter
  key: string
  reason: AdmissionRefusal
}

/** This error is thrown when a counter has no point left. */
export class SpentError extends Error {
  override readonly name = 'SpentError'
  readonly counter: Counter
  readonly waitMs: number

  constructor(counter: Counter, waitMs: number) {
    super('the limit is used up')
    this.counter = counter
    this.waitMs = waitMs
  }
}

/** Returns for how many ms a limiter refuses. */
export const waitMsOf = (spent: unknown): number => (spent as { msBeforeNext?: number }).msBeforeNext ?? 1000

/** Gives one point back to each counter. */
export function giveBack(counters: readonly Counter[]): void {
  for (const { limiter, key } of counters) void limiter.reward(key).catch(() => undefined)
}

/**
 * Takes a point from each counter in turn. When a counter has none left, gives all points back, because a wide network that
 * is used up must not use up the narrower ones, and throws a SpentError.
 */
export async function takeFromAll(counters: readonly Counter[]): Promise<void> {
  for (const [index, counter] of counters.entries()) {
    try {
      await counter.limiter.consume(counter.key)
    } catch (spent) {
      giveBack(counters.slice(0, index + 1))
      throw new SpentError(counter, waitMsOf(spent))
    }
  }
}

/** Creates the counters of an address and of the wider networks around it, which get more points. */
export function createNetworkCounters(
  create: CreateLimiter,
  keyPrefix: string,
  { points, seconds }: RateLimit,
): (address: string) => readonly Counter[] {
  const limiters = networkFactors.map((factor) =>
    create({ keyPrefix, points: points * factor, duration: seconds }),
  )
  return (address) =>
    networksOf(address).map((key, index) => ({
      limiter: limiters[index] as Limiter,
      key,
      reason: index === 0 ? 'address' : 'network',
    }))
}
