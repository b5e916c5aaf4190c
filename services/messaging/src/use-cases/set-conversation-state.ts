import { conversationStateChanged } from '@sumlock/contracts/messaging-events'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { conversationNotFound, tooManyBlocked } from '../domain/errors.ts'
import { markRead } from './mark-read.ts'

export interface StateChange {
  userId: string
  conversationId: string
  isMuted?: boolean | undefined
  isBlocked?: boolean | undefined
  isAccepted?: true | undefined
}

/** Changes how one member sees a conversation. Every replica obeys a block within a second (`freshMs` of the cache). */
export async function setConversationState(ctx: Context, change: StateChange): Promise<void> {
  const { userId, conversationId, isMuted, isBlocked, isAccepted } = change
  const memberIds = await ctx.members.of(conversationId)
  if (!memberIds?.includes(userId)) throw conversationNotFound()
  // Blocks of one person change one row: at once, they would collide and start again with every connection of the pool.
  const store = () =>
    transact(ctx.connection, async (session) => {
      if (isMuted !== undefined) await ctx.conversations.setMuted(conversationId, userId, isMuted, session)
      if (isAccepted) await ctx.conversations.accept(conversationId, userId, session)
      if (
        isBlocked !== undefined &&
        !(await ctx.entitlementStore.setBlocked(userId, conversationId, isBlocked, session))
      )
        throw tooManyBlocked()
      await ctx.outbox.add(session, conversationStateChanged, { conversationId, userId })
    })
  await ctx.changingStates.run(userId, store)
  ctx.entitlements.drop(userId)
  ctx.outbox.kick()
  // What the request holds was read before it was accepted.
  if (isAccepted) {
    const seq = await ctx.messages.lastSeq(conversationId)
    await markRead(ctx, { userId, conversationId, seq })
  }
}
