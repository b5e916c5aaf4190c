import type { Context } from './context.ts'
import { announceExpiries } from './use-cases/announce-expiries.ts'

const everyMs = 1000

/** The thin timer around `announceExpiries`: one run at a time, each second. Returns the way to stop it. */
export function startExpiryLoop(ctx: Context): () => Promise<void> {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= announceExpiries(ctx, ctx.clock.now())
      .catch((error: unknown) => ctx.logger.warn({ err: error }, 'expiries will be announced later'))
      .finally(() => (running = undefined))
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}
