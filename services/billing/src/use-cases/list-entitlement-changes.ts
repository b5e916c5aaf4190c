import { changesPerPage } from '@sumlock/contracts/internal-routes'
import type { Context } from '../context.ts'
import { getEntitlements } from './get-entitlements.ts'

/** Lists the present entitlements of people whose ledger changed at `since` or later, oldest change first. */
export async function listEntitlementChanges(ctx: Context, since: Date) {
  const changes = await ctx.ledger.changedSince(since, changesPerPage)
  const entitlements = await getEntitlements(
    ctx,
    changes.map(({ userId }) => userId),
  )
  return entitlements.map((entitlement, index) => ({
    entitlement,
    changedAt: (changes[index]?.changedAt ?? since).toISOString(),
  }))
}
