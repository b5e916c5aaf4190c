import type { Context } from '../context.ts'
import { spentSlots } from './spent-slots.ts'

/** Returns the free messages that a person used in the present UTC day. */
export async function getQuota(ctx: Context, input: { userId: string }) {
  const spent = await spentSlots(ctx, [input.userId])
  return {
    dailyMessageCount: spent.size,
    lastMessageDate: spent.get(input.userId)?.toISOString() ?? null,
  }
}
