import type { Access } from '@sumlock/contracts/admin-routes'
import type { Context } from '../context.ts'
import { requireSteppedUp } from './require-stepped-up.ts'

const listedAtMost = 100

/** When an admin was shown the account, the latest first. */
export async function listAccesses(
  ctx: Context,
  caller: { userId: string; sessionId: string },
): Promise<Access[]> {
  await requireSteppedUp(ctx, caller.sessionId)
  const rows = await ctx.accessLog.latestOf(caller.userId, listedAtMost)
  const names = new Map<string, string>()
  for (const adminId of new Set(rows.map((row) => row.adminId)))
    names.set(adminId, (await ctx.users.byId(adminId))?.username ?? 'Unknown User')
  return rows.map(({ at, adminId }) => ({
    at: at.toISOString(),
    admin: names.get(adminId) ?? 'Unknown User',
  }))
}
