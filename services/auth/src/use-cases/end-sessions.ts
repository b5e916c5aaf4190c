import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { numberNotGiven } from '../domain/errors.ts'
import { knowsNumber } from '../domain/user.ts'
import type { Session, User } from '../domain/user.ts'
import { revokeSession } from './revoke-session.ts'

type Numbered = Pick<User, '_id' | 'pinMac'>

/** The sessions in which the right number was given; none in an account without a number. */
export const withNumber = ({ pinMac }: Pick<User, 'pinMac'>, sessions: readonly Session[]): Session[] =>
  pinMac === null ? [] : sessions.filter(knowsNumber)

/**
 * Ends sessions of an account for another one of it. A session in which the number was never right cannot end one in which it
 * was, which may be the owner's way to cancel a reset: then it throws `number_not_given` and ends nothing.
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
    // The number was given there a moment ago.
    if (!mayEndAll && (await ctx.sessions.byId(_id, ctx.clock.now()))) throw numberNotGiven()
  }
}

/**
 * Ends the sessions seen least recently of a person who has too many, first those in which the number was never right. A session
 * that had the right number ends only for another such session; otherwise the person has one session more.
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
    // The number may have been given in the others since they were read.
    if (!first.has(other)) await revokeSession(ctx, input, ctx.sessions.revokeWithoutPin)
    else if (isOneOfThem) await revokeSession(ctx, input)
  }
}
