import { on } from '@sumlock/bus/handler'
import { purgeAcknowledged } from '@sumlock/contracts/purge-events'
import type { Context } from '../context.ts'

/** Notes which services have erased what they stored about a purged person. */
export const purgeAcknowledgementHandlers = (ctx: Context) => [
  on(purgeAcknowledged, ({ data: { userId, owner } }) =>
    ctx.purgedIds.acknowledge(userId, owner, ctx.clock.now()),
  ),
]
