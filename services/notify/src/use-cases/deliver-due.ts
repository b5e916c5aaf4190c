import type { Context } from '../context.ts'
import { attemptTimeoutMs, claimMs, parallelSends } from '../domain/delivery.ts'
import { attemptDelivery } from './attempt-delivery.ts'

export interface Delivering {
  /** Begins due deliveries until none is due, 20 are in flight, or the service is stopping. Call it once at a time. */
  begin(this: void): Promise<void>
  /** Resolves when every attempt in flight has ended, each after `timeoutMs` at the latest. */
  settled(this: void): Promise<void>
}

export interface DeliveringOptions {
  /** Called when an attempt has ended and another one may begin. */
  onFree: () => void
  timeoutMs?: number
}

/** Sends due deliveries, several at once. */
export function createDelivering(
  ctx: Parameters<typeof attemptDelivery>[0] & Pick<Context, 'health'>,
  { onFree, timeoutMs = attemptTimeoutMs }: DeliveringOptions,
): Delivering {
  const inFlight = new Set<Promise<void>>()
  const start = (work: Promise<void>, noticeId: string) => {
    const attempt = work
      .catch((error: unknown) =>
        ctx.logger.warn({ err: error, noticeId }, 'delivery could not be recorded and will be taken over'),
      )
      .finally(() => {
        inFlight.delete(attempt)
        onFree()
      })
    inFlight.add(attempt)
  }
  return {
    async begin() {
      while (inFlight.size < parallelSends && !ctx.health.draining) {
        const now = ctx.clock.now()
        const delivery = await ctx.deliveries.claim(now, claimMs(timeoutMs))
        if (!delivery) return
        // The stop came while the claim was made: another process may begin at once.
        if (ctx.health.draining) return ctx.deliveries.release(delivery, now, delivery.lastError)
        start(attemptDelivery(ctx, delivery, timeoutMs), delivery._id)
      }
    },
    async settled() {
      await Promise.all(inFlight)
    },
  }
}
