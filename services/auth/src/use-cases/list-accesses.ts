import type { Access, AdminActionKind } from '@sumlock/contracts/admin-action-routes'
import type { Context } from '../context.ts'
import { requireSteppedUp } from './require-stepped-up.ts'

const listedAtMost = 100

/**
 * A person is shown these acts of administrators. Reads of reports are left out, because they would reveal who reported
 * whom.
 */
const told: Partial<Record<AdminActionKind, Access['action']>> = {
  'users-listed': 'looked-at',
  'users-searched': 'looked-at',
  'user-suspended': 'suspended',
  'user-unsuspended': 'unsuspended',
}

/** Lists when an administrator was shown the account, suspended it or lifted the suspension, newest first. */
export async function listAccesses(
  ctx: Context,
  caller: { userId: string; sessionId: string },
): Promise<Access[]> {
  await requireSteppedUp(ctx, caller.sessionId)
  const kinds = Object.keys(told) as AdminActionKind[]
  const minutes = await ctx.adminActions.minutesOf(caller.userId, kinds, listedAtMost)
  const rows = minutes.map(({ action, at }) => ({
    at: at.toISOString(),
    action: told[action] ?? 'looked-at',
  }))
  const once = new Map(rows.map((row) => [`${row.at} ${row.action}`, row]))
  return [...once.values()].sort((left, right) => right.at.localeCompare(left.at)).slice(0, listedAtMost)
}
