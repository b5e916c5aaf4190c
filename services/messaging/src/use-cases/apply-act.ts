import { messageChanged } from '@sumlock/contracts/messaging-events'
import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ClientSession } from 'mongoose'
import type { Context } from '../context.ts'
import type { MessageName } from '../domain/media.ts'
import type { MemberRecord } from '../domain/member.ts'

/** The person changes a message. */
export interface ActInput {
  userId: string
  conversationId: string
  target: { by: string; id: string }
}

export interface AppliedAct {
  message: Message
  /** The value is false when the act was applied before. */
  isNew: boolean
}

export const nameOf = ({ conversationId, target }: ActInput): MessageName => ({
  ...{ conversationId, senderId: target.by, clientMessageId: target.id },
})

/** Numbers a change in the transaction that makes it, and announces it. Returns the version of the changed message. */
export async function raiseVersion(
  ctx: Context,
  session: ClientSession,
  own: MemberRecord,
  isShownToOther: boolean,
): Promise<number> {
  const { conversationId, personId, otherId } = own
  const version = await ctx.memberVersions.raise(session, own, isShownToOther)
  const memberIds = isShownToOther ? [personId, otherId] : [personId]
  await ctx.outbox.add(session, messageChanged, { conversationId, memberIds, version })
  return version
}
