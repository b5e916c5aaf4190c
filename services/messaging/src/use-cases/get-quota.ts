import { utcDay } from '@sumlock/service-kit/clock'
import type { Context } from '../context.ts'
import { slotOf } from '../domain/message.ts'

/** How many free messages a person used in the present UTC day. */
export async function getQuota(ctx: Context, input: { userId: string }) {
  const spent = await ctx.messages.bySlot(slotOf(input.userId, utcDay(ctx.clock.now())))
  return { dailyMessageCount: spent ? 1 : 0, lastMessageDate: spent?.createdAt.toISOString() ?? null }
}
