import type { Context } from '../context.ts'
import { spentSlots } from './spent-slots.ts'

/** Returns how many free messages a person has used on the present UTC day. */
export async function getQuota(ctx: Context, input: { userId: string }) {
  const spent = await spentSlots(ctx, [input.userId])
  return {
    dailyMessageCount: spent.size,
    lastMessageDate: spent.get(input.userId)?.toISOString() ?? null,
  }
}
