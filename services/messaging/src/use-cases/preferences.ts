import type { ConversationPreferences } from '@sumlock/contracts/conversation-state-routes'
import type { Context } from '../context.ts'

export async function getPreferences(ctx: Context, userId: string): Promise<ConversationPreferences> {
  const status = (await ctx.entitlementStore.statusesOf([userId])).get(userId)
  return { asksFirst: status?.asksFirst === true, showsRead: status?.showsRead !== false }
}

/** Changes the given preferences. They hold at every replica once this resolves. */
export async function setPreferences(
  ctx: Context,
  userId: string,
  changes: { [name in keyof ConversationPreferences]?: boolean | undefined },
): Promise<ConversationPreferences> {
  await ctx.entitlementStore.setPreferences(userId, changes)
  return getPreferences(ctx, userId)
}
