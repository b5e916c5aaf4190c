import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { toCursor } from '../domain/member.ts'
import { viewConversations } from './view-conversations.ts'

export interface ListInput {
  userId: string
  before?: string | undefined
  search?: string | undefined
}

/**
 * Returns a page of the conversations of a person that are listed, the latest first. The page includes every acknowledged
 * message.
 */
export async function listConversations(
  ctx: Context,
  { userId, before, search }: ListInput,
): Promise<Conversation[]> {
  const otherIds = search === undefined ? undefined : await partnersMatching(ctx, userId, search)
  const cursor = before === undefined ? undefined : toCursor(before)
  const rows = await ctx.memberList.page(userId, { before: cursor, otherIds }, limits.pageOfConversations)
  return viewConversations(ctx, userId, rows)
}

export async function* allConversations(ctx: Context, userId: string): AsyncGenerator<Conversation> {
  for (let before: string | undefined; ;) {
    const page = await listConversations(ctx, { userId, before })
    yield* page
    const last = page.at(-1)
    if (!last || page.length < limits.pageOfConversations) return
    before = `${Date.parse(last.activeAt)}_${last.id}`
  }
}

const partnersMatching = async (ctx: Context, userId: string, text: string): Promise<string[]> =>
  ctx.people.idsMatching(await ctx.memberList.partnersOf(userId), text)
