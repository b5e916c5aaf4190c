import type { Context } from '../context.ts'
import { conversationNotFound } from '../domain/errors.ts'
import type { MemberRecord, RememberedMember } from '../domain/member.ts'
import type { MemberList } from '../stores/member-list.ts'

/** Returns the row of a person; without it, the conversation does not seem to exist. */
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

/** Returns the remembered row, at most a second old. */
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
