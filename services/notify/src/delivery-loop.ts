import type { Context } from './context.ts'
import { deliverDue } from './use-cases/deliver-due.ts'

const everyMs = 1000

export interface DeliveryLoop {
  /** Something was queued: look now. */
  kick(): void
  stop(): Promise<void>
}

/** The thin timer around `deliverDue`: one run at a time, at once after a kick, each second otherwise. */
export function startDeliveryLoop(ctx: Context): DeliveryLoop {
  let running: Promise<unknown> | undefined
  let again = false
  const kick = () => {
    if (running) {
      again = true
      return
    }
    running = deliverDue(ctx)
      .catch((error: unknown) => ctx.logger.warn({ err: error }, 'deliveries will be tried again'))
      .finally(() => {
        running = undefined
        if (!again) return
        again = false
        kick()
      })
  }
  const timer = setInterval(kick, everyMs)
  kick()
  return {
    kick,
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
