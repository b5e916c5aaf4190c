import type { Context } from '../context.ts'
import { attemptTimeoutMs, claimMs, parallelSends } from '../domain/delivery.ts'
import type { Channel } from '../domain/delivery.ts'
import { attemptDelivery } from './attempt-delivery.ts'

export interface Delivering {
  /**
   * Starts due deliveries until none is due, 20 of each channel are in flight, or the service is stopping. Two calls must
   * not overlap.
   */
  begin(this: void): Promise<void>
  /** Resolves when every attempt in flight has ended. Sending takes at most `timeoutMs` per attempt. */
  settled(this: void): Promise<void>
}

export interface DeliveringOptions {
  /** Called when an attempt has ended, so that another one may begin. */
  onFree: () => void
  timeoutMs?: number
}

/** Sends due deliveries, several at once. A mail server that hangs does not hold up SMS, and vice versa. */
export function createDelivering(
  ctx: Parameters<typeof attemptDelivery>[0] & Pick<Context, 'health'>,
  { onFree, timeoutMs = attemptTimeoutMs }: DeliveringOptions,
): Delivering {
  const inFlight = { mail: new Set<Promise<void>>(), sms: new Set<Promise<void>>() }
  const start = (channel: Channel, work: Promise<void>, noticeId: string) => {
    const attempt = work
      .catch((error: unknown) =>
        ctx.logger.warn(
          { err: error, noticeId },
          'delivery outcome was not stored; the delivery will be retried',
        ),
      )
      .finally(() => {
        inFlight[channel].delete(attempt)
        onFree()
      })
    inFlight[channel].add(attempt)
  }
  const begin = async (channel: Channel) => {
    while (inFlight[channel].size < parallelSends && !ctx.health.draining) {
      const now = ctx.clock.now()
      const delivery = await ctx.deliveries.claim(channel, now, claimMs(timeoutMs))
      if (!delivery) return
      // The service began to stop during the claim, so another process may take the delivery at once.
      if (ctx.health.draining) return ctx.deliveries.release(delivery, now, delivery.lastError)
      start(channel, attemptDelivery(ctx, delivery, { timeoutMs }), delivery._id)
    }
  }
  return {
    async begin() {
      await Promise.all([begin('sms'), begin('mail')])
    },
    async settled() {
      await Promise.all([...inFlight.sms, ...inFlight.mail])
    },
  }
}
