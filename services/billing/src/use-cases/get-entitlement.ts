import type { Entitlement } from '@sumlock/contracts/internal-routes'
import type { Context } from '../context.ts'
import { toEntitlement } from '../domain/ledger.ts'

/** Resolves with the present entitlement of a person. */
export async function getEntitlement(ctx: Context, input: { userId: string }): Promise<Entitlement> {
  // The version is read first, so that the grants are never older than the version.
  const version = await ctx.ledger.version(input.userId)
  const grants = version === 0 ? [] : await ctx.ledger.grantsOf(input.userId)
  return toEntitlement(input.userId, grants, version, ctx.clock.now())
}

/** Resolves with the part of the entitlement that is shown to the person. */
export async function getPlan(ctx: Context, userId: string) {
  const { subscriptionType, subscriptionExpiresAt } = await getEntitlement(ctx, { userId })
  return { subscriptionType, subscriptionExpiresAt }
}
