import type { Entitlement } from '@sumlock/contracts/internal-routes'
import type { Context } from '../context.ts'
import { toEntitlement } from '../domain/ledger.ts'

/** Resolves with the present entitlements of many people, in the given order, after two database reads. */
export async function getEntitlements(ctx: Context, userIds: readonly string[]): Promise<Entitlement[]> {
  // The versions are read first, so that the grants are never older than their version.
  const versions = await ctx.ledger.versions(userIds)
  const grants = Map.groupBy(await ctx.ledger.grantsOfAll([...versions.keys()]), ({ userId }) => userId)
  const now = ctx.clock.now()
  return userIds.map((userId) =>
    toEntitlement(userId, grants.get(userId) ?? [], versions.get(userId) ?? 0, now),
  )
}
