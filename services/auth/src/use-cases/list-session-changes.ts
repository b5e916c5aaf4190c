import type { SessionChanges } from '@sumlock/contracts/internal-routes'
import type { Context } from '../context.ts'

/**
 * Lists the sessions that were restricted since an earlier answer. `reset` means that all sessions count as changed: at a
 * first request, and when there are too many changes.
 */
export async function listSessionChanges(
  ctx: Pick<Context, 'sessions'>,
  { since }: { since?: string | undefined },
): Promise<SessionChanges> {
  const { now, rows } = await ctx.sessions.changesSince(since === undefined ? null : new Date(Number(since)))
  return {
    cursor: String(now.getTime()),
    changed: (rows ?? []).map(({ _id, changedAt }) => ({ sid: _id, changedAtMs: changedAt.getTime() })),
    reset: rows === null,
  }
}
