import type { Context } from '../context.ts'
import { conversationNotFound } from '../domain/errors.ts'
import type { MemberRecord, RememberedMember } from '../domain/member.ts'
import type { MemberList } from '../stores/member-list.ts'

/** Returns a person's row of a conversation. Throws 404 without one, as if the conversation did not exist. */
export async function memberOf(
  { memberList }: { memberList: Pick<MemberList, 'of'> },
  personId: string,
  conversationId: string,
): Promise<MemberRecord> {
  const own = await memberList.of(personId, conversationId)
  // guard: members-read
  if (!own) throw conversationNotFound()
  return own
}

/** Returns the remembered row, which is at most a second old. Throws 404 without one. */
export async function rememberedMember(
  { members }: Pick<Context, 'members'>,
  personId: string,
  conversationId: string,
): Promise<RememberedMember> {
  const own = await members.of(personId, conversationId)
  // guard: members-only
  if (!own) throw conversationNotFound()
  return own
}
