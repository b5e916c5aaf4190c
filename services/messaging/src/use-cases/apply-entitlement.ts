import type { Entitlement } from '@sumlock/contracts/internal-routes'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { addLimitsChanged } from './publish-limits-changed.ts'

/**
 * Stores an entitlement from billing's list, and publishes to the person and all partners that their limits have changed. A
 * version that was stored before changes nothing.
 */
export async function applyEntitlement(ctx: Context, entitlement: Entitlement): Promise<void> {
  const { userId } = entitlement
  const isNew = await transact(ctx.connection, async (session) => {
    if (!(await ctx.entitlementStore.save(entitlement, session))) return false
    await addLimitsChanged(ctx, session, userId)
    return true
  })
  if (!isNew) return
  ctx.entitlements.drop(userId)
  ctx.outbox.kick()
}
