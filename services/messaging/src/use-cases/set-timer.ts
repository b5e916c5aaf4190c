import { conversationStateChanged } from '@sumlock/contracts/messaging-events'
import type { VanishMs } from '@sumlock/contracts/primitives'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { conversationNotFound, personGone, timerReplaced } from '../domain/errors.ts'
import { pairOf } from '../domain/member.ts'
import { memberOf } from './member-of.ts'

export interface TimerChange {
  userId: string
  conversationId: string
  /** The caller's client chose this id. */
  id: string
  vanishMs: VanishMs | null
  /** The caller was shown the timer with this id, or none. */
  replaces: string | null
}

/**
 * Sets the timer of a conversation for both members. A member whom the other one has blocked sets it for themselves only,
 * and must not notice that.
 */
export async function setTimer(ctx: Context, change: TimerChange): Promise<void> {
  const { userId, conversationId, id, vanishMs, replaces } = change
  const member = await memberOf(ctx, userId, conversationId)
  // Who has not accepted a request gives no sign.
  if (member.isRequest) throw conversationNotFound()
  const statuses = await ctx.entitlements.statusesOf(pairOf(member))
  const afterSeq = await ctx.messages.lastSeq(conversationId)
  await transact(ctx.connection, async (session) => {
    const { own, other } = await ctx.memberVersions.both(session, member)
    if (own.timer?.id === id) return
    if (replaces !== (own.timer?.id ?? null)) throw timerReplaced()
    if (statuses.some(({ isGone }) => isGone)) throw personGone()
    const timer = { id, vanishMs, at: ctx.clock.now(), afterSeq }
    const shown = other && !other.isBlocked ? [own, other] : [own]
    for (const row of shown) {
      await ctx.memberState.setOwn(row, ['timer', { ...timer, isMine: row === own }], session)
      if (row === own || row.isListed)
        await ctx.outbox.add(session, conversationStateChanged, { conversationId, userId: row.personId })
    }
  })
  ctx.outbox.kick()
}
