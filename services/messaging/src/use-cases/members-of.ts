import type { Context } from '../context.ts'
import { conversationNotFound } from '../domain/errors.ts'

/** The two members of a conversation of the caller. To strangers, the conversation does not seem to exist. */
export async function membersOf(
  ctx: Pick<Context, 'members'>,
  conversationId: string,
  callerId: string,
): Promise<readonly string[]> {
  const memberIds = await ctx.members.of(conversationId)
  // guard: members-only
  if (!memberIds?.includes(callerId)) throw conversationNotFound()
  return memberIds
}
