import type { SessionChanges } from '@sumlock/contracts/internal-routes'
import type { Context } from '../context.ts'

/** The sessions that lost rights since an earlier answer; `reset` for a first request, and when they are too many. */
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
