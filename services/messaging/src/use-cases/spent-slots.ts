import type { Context } from '../context.ts'
import { isKept, slotOf } from '../domain/slot.ts'

/**
 * Returns the people whose free message of the present UTC day is spent, or reserved for a message that is being stored.
 * The value is the time of the message, or undefined until the message is stored.
 */
export async function spentSlots(
  { slots, messages, clock }: Pick<Context, 'slots' | 'messages' | 'clock'>,
  userIds: readonly string[],
): Promise<Map<string, Date | undefined>> {
  const now = clock.now()
  const rows = new Map(
    (await slots.byIds(userIds.map((userId) => slotOf(userId, now)))).map((row) => [row._id, row]),
  )
  const taken = userIds.flatMap((senderId) => {
    const row = rows.get(slotOf(senderId, now))
    return row ? [{ ...row, senderId }] : []
  })
  const stored = new Map((await messages.byNames(taken)).map((message) => [message.senderId, message]))
  const isTaken = (slot: (typeof taken)[number]) => {
    const message = stored.get(slot.senderId)
    return message ? !message.isUnstored : isKept(slot, now)
  }
  return new Map(taken.filter(isTaken).map(({ senderId }) => [senderId, stored.get(senderId)?.createdAt]))
}
