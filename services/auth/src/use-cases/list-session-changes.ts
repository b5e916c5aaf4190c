import type { SessionChanges } from '@sumlock/contracts/internal-routes'
import type { Context } from '../context.ts'
import type { SessionChange } from '../stores/session-store.ts'

/** A page of the sessions that lost rights since an earlier answer; `reset` for a first request. */
export async function listSessionChanges(
  ctx: Pick<Context, 'sessions'>,
  { since, from }: { since?: string | undefined; from?: string | undefined },
): Promise<SessionChanges> {
  const { now, rows, next } = await ctx.sessions.changesSince(
    since === undefined ? null : new Date(Number(since)),
    from === undefined ? undefined : toChange(from),
  )
  return {
    cursor: String(now.getTime()),
    changed: (rows ?? []).map(({ _id, changedAt }) => ({ sid: _id, changedAtMs: changedAt.getTime() })),
    ...(next ? { next: toPosition(next) } : {}),
    reset: rows === null,
  }
}

const toPosition = ({ _id, changedAt }: SessionChange) => `${changedAt.getTime()}:${_id}`

function toChange(position: string): SessionChange {
  const [changedAtMs = '', _id = ''] = position.split(':')
  return { _id, changedAt: new Date(Number(changedAtMs)) }
}
