import type { Context } from '../context.ts'
import type { MessageName } from '../domain/media.ts'
import { isKept, slotOf } from '../domain/slot.ts'
import type { SlotRecord } from '../domain/slot.ts'
import type { MessageStore } from '../stores/message-store.ts'
import type { SlotStore } from '../stores/slot-store.ts'

export interface SlotContext extends Pick<Context, 'takenSlots'> {
  slots: Pick<SlotStore, 'insert' | 'replace' | 'byIds'>
  messages: Pick<MessageStore, 'byClientMessageId'>
}

/** Takes the sender's free slot for a message. 'in use' can change within seconds; 'spent' lasts until the next UTC day. */
export async function takeSlot(
  ctx: SlotContext,
  { senderId, conversationId, clientMessageId }: MessageName,
  now: Date,
): Promise<SlotRecord | 'in use' | 'spent'> {
  const own = { _id: slotOf(senderId, now), conversationId, clientMessageId, takenAt: now }
  if (ctx.takenSlots.has(own._id)) return 'spent'
  const spent = () => {
    ctx.takenSlots.set(own._id, true)
    return 'spent' as const
  }
  if (!(await ctx.slots.insert(own))) {
    const [present] = await ctx.slots.byIds([own._id])
    // The slot exists, but the majority has not acknowledged it yet.
    if (!present) return 'in use'
    // A message that is sent again, after a crash or a lost answer, may use its own slot at once.
    if (!isSameMessage(present, own)) {
      const message = await ctx.messages.byClientMessageId(
        present.conversationId,
        senderId,
        present.clientMessageId,
      )
      if (message && !message.isUnstored) return spent()
      // A message that was taken back before it was stored will never use its slot.
      if (!message && isKept(present, now)) return 'in use'
    }
    if (!(await ctx.slots.replace(present, own))) return 'in use'
  }
  return own
}

type Named = Pick<SlotRecord, 'conversationId' | 'clientMessageId'>

const isSameMessage = (one: Named, other: Named) =>
  one.conversationId === other.conversationId && one.clientMessageId === other.clientMessageId
