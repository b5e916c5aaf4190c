import { conversationStateChanged } from '@sumlock/contracts/messaging-events'
import { unavailable } from '@sumlock/service-kit/app-error'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { markRead } from './mark-read.ts'
import { memberOf } from './member-of.ts'

export interface StateChange {
  userId: string
  conversationId: string
  isMuted?: boolean | undefined
  nickname?: string | null | undefined
  isBlocked?: boolean | undefined
  isAccepted?: true | undefined
}

/**
 * Changes how one member sees a conversation. A block holds at every replica within a second (`freshMs` in
 * followed-cache.ts).
 */
export async function setConversationState(ctx: Context, change: StateChange): Promise<void> {
  const { userId, conversationId, isMuted, nickname, isBlocked, isAccepted } = change
  const own = await memberOf(ctx, userId, conversationId)
  const code = isBlocked ? await codeOf(ctx, userId) : ''
  await transact(ctx.connection, async (session) => {
    if (isMuted !== undefined) await ctx.memberState.setOwn(own, ['isMuted', isMuted || null], session)
    if (nickname !== undefined) await ctx.memberState.setOwn(own, ['nickname', nickname], session)
    if (isAccepted) await ctx.memberState.accept(own, session)
    if (isBlocked !== undefined) await ctx.memberState.setBlocked(own, { isBlocked, code }, session)
    await ctx.outbox.add(session, conversationStateChanged, { conversationId, userId })
  })
  ctx.members.drop(userId, conversationId)
  ctx.outbox.kick()
  // The acceptance also marks the messages of the request as read.
  if (isAccepted) {
    const seq = await ctx.messages.lastSeq(conversationId)
    await markRead(ctx, { userId, conversationId, seq })
  }
}

/**
 * Returns the user code of a person. Throws `unavailable` when messaging's copy lacks the person and auth does not answer.
 */
async function codeOf(ctx: Context, userId: string): Promise<string> {
  const person = (await ctx.findPeople([userId])).get(userId)
  if (!person) throw unavailable('people')
  return person.userCode
}
