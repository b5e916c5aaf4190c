import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { numberNotGiven } from '../domain/errors.ts'
import { knowsNumber } from '../domain/user.ts'
import type { Session, User } from '../domain/user.ts'
import { revokeSession } from './revoke-session.ts'

type Numbered = Pick<User, '_id' | 'pinMac'>

/** Returns the sessions in which the right PIN was given; none in an account without a PIN. */
export const withNumber = ({ pinMac }: Pick<User, 'pinMac'>, sessions: readonly Session[]): Session[] =>
  pinMac === null ? [] : sessions.filter(knowsNumber)

/**
 * Ends sessions of an account at the request of another of its sessions. A session in which the PIN was never right cannot
 * end one in which it was, because the owner may need that one to cancel a reset; then `number_not_given` is thrown.
 */
export async function endSessions(
  ctx: Context,
  user: Numbered,
  { bySessionId, ended }: { bySessionId: string; ended: readonly Session[] },
): Promise<void> {
  const userId = user._id
  const by = await ctx.sessions.byId(bySessionId, ctx.clock.now())
  const mayEndAll = by !== null && withNumber(user, [by]).length > 0
  const spared = mayEndAll ? [] : withNumber(user, ended)
  if (spared.some(({ _id }) => _id !== bySessionId)) throw numberNotGiven()
  const revoke = mayEndAll || user.pinMac === null ? ctx.sessions.revoke : ctx.sessions.revokeWithoutPin
  for (const { _id } of ended) {
    await revokeSession(ctx, { sessionId: _id, userId }, revoke)
    // The session is still alive if the PIN was given in it after the check above.
    if (!mayEndAll && (await ctx.sessions.byId(_id, ctx.clock.now()))) throw numberNotGiven()
  }
}

/**
 * Ends the least recently used sessions of a person who has too many, first those in which the PIN was never right. A
 * session in which it was right ends only in favour of another such session; otherwise the person keeps one session more.
 */
export async function endSurplus(ctx: Context, user: Numbered, forSession: Session): Promise<void> {
  const userId = user._id
  const others = await ctx.sessions.othersOf(userId, forSession._id, ctx.clock.now())
  if (others.length < limits.sessionsPerPerson) return
  const first = new Set(withNumber(user, others))
  const isOneOfThem = withNumber(user, [forSession]).length > 0
  const ranked = [...first, ...others.filter((other) => !first.has(other))]
  for (const other of ranked.slice(limits.sessionsPerPerson - 1)) {
    const input = { sessionId: other._id, userId }
    // The PIN may have been given in this session since it was read, so `revokeWithoutPin` checks that again.
    if (!first.has(other)) await revokeSession(ctx, input, ctx.sessions.revokeWithoutPin)
    else if (isOneOfThem) await revokeSession(ctx, input)
  }
}
