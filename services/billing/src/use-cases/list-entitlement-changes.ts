import type { Context } from '../context.ts'
import { getEntitlements } from './get-entitlements.ts'

const pageSize = 200

/** The present entitlements of the people whose ledger changed since, oldest change first. */
export async function listEntitlementChanges(ctx: Context, since: Date) {
  const changes = await ctx.ledger.changedSince(since, pageSize)
  const entitlements = await getEntitlements(
    ctx,
    changes.map(({ userId }) => userId),
  )
  return entitlements.map((entitlement, index) => ({
    entitlement,
    changedAt: (changes[index]?.changedAt ?? since).toISOString(),
  }))
}
