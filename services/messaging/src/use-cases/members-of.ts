import type { Context } from '../context.ts'
import { conversationNotFound } from '../domain/errors.ts'

/** The two members of a conversation the caller belongs to. A stranger learns no more than of one that does not exist. */
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
