import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { unavailable } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { isPremiumAt } from '../domain/entitlement.ts'
import { clientMessageIdReused, dailyLimitReached } from '../domain/errors.ts'
import { advance, beforeFirst, isReadFor, messageKey } from '../domain/message.ts'
import type { MessageRecord, Position } from '../domain/message.ts'
import type { Send, SentMessage } from '../domain/send.ts'
import { isTooLateFor, isUsable } from '../domain/slot.ts'
import type { SlotRecord } from '../domain/slot.ts'
import { DuplicateMessageError, TooLateError } from '../infrastructure/group-commit.ts'
import type { MemberList } from '../stores/member-list.ts'
import type { MessageStore } from '../stores/message-store.ts'
import { coverageAccordingToBilling } from './coverage-according-to-billing.ts'
import type { CoverageContext } from './coverage-according-to-billing.ts'
import { memberOf } from './member-of.ts'
import { takeSlot } from './take-slot.ts'
import type { SlotContext } from './take-slot.ts'

export interface StoreContext
  extends CoverageContext, SlotContext, Pick<Context, 'members' | 'timeouts' | 'lastPositions'> {
  messages: Pick<MessageStore, 'insert' | 'positionOf'> & SlotContext['messages']
  memberList: Pick<MemberList, 'of'>
}

const notYetVisibleMs = 5
const slotInUseMs = 10

/**
 * One durable insert decides order, density, idempotency and "to be published"; this function reads which unique index refused
 * it. Before it, a sender without premium takes the free slot of the day.
 */
export async function storeMessage(ctx: StoreContext, send: Send): Promise<SentMessage> {
  const startedMs = performance.now()
  while (performance.now() - startedMs < ctx.timeouts.storeMs) {
    const last = await lastPosition(ctx, send)
    const now = ctx.clock.now()
    // Premium is compared again for each attempt, because it may end in between.
    const isFree = !isCovered(send, now)
    if (isFree && !isUsable(send.slot, send.senderId, now)) {
      // A slot taken for a message that premium covered would be spent without a free message.
      const answer = await answerIfStored(ctx, send)
      if (answer) return answer
      await takeSlotFor(ctx, send, now)
      continue
    }
    const hidden = (await isBlocked(ctx, send)) ? { isHidden: true as const } : {}
    const next = advance(last, { ...send, ...hidden })
    const record = { ...toRecord(send, next, now), ...hidden }
    const refusedBy = await insert(ctx, record, next, isFree ? send.slot : undefined)
    if (!refusedBy) return { record, isNew: true, isRead: false }
    // Another process took this seq: a pause would let a busy process win every time.
    if (refusedBy !== 'clientMessageId') continue
    const answer = await answerIfStored(ctx, send)
    if (answer) return answer
    // The index contains a message that the majority has not acknowledged yet.
    await wait(notYetVisibleMs)
  }
  throw unavailable('messages', new Error('other sends kept every seq or the free slot until the time limit'))
}

export const isCovered = ({ statuses }: Send, now: Date): boolean =>
  statuses.some((status) => isPremiumAt(status, now))

/** Adds premium that billing has and the projection lacks; throws 402 if there is none. */
export async function requireUnseenPayment(ctx: StoreContext, send: Send): Promise<void> {
  const coverage = await coverageAccordingToBilling(ctx, send.memberIds, send.arrivedMs)
  if (!coverage) throw dailyLimitReached(ctx.clock.now())
  send.statuses = [coverage]
}

/** Returns the answer to a message that was stored before; throws 409 when its id was used for another content. */
export async function answerIfStored(ctx: StoreContext, send: Send): Promise<SentMessage | undefined> {
  const { conversationId, senderId, clientMessageId } = send
  const record = await ctx.messages.byClientMessageId(conversationId, senderId, clientMessageId)
  if (!record) return undefined
  if (!isSame(record, send)) throw clientMessageIdReused()
  const own = await memberOf(ctx, senderId, conversationId)
  return { record, isNew: false, isRead: isReadFor(own, record) }
}

const lastPosition = async (
  { lastPositions, messages }: StoreContext,
  { conversationId, memberIds }: Send,
): Promise<Position> =>
  lastPositions.get(conversationId) ?? (await messages.positionOf(conversationId)) ?? beforeFirst(memberIds)

async function takeSlotFor(ctx: StoreContext, send: Send, now: Date): Promise<void> {
  const taken = await takeSlot(ctx, send, now)
  if (taken === 'spent') await requireUnseenPayment(ctx, send)
  else if (taken === 'in use') await wait(slotInUseMs)
  else send.slot = taken
}

/** Whether the recipient has blocked the conversation; the sender sees no difference. */
const isBlocked = async ({ members }: StoreContext, { otherId, conversationId }: Send): Promise<boolean> =>
  (await members.of(otherId, conversationId))?.isBlocked === true

/** Resolves with undefined once the record is stored, with the unique index that refused it, or with 'time' when another send may have its slot. */
async function insert(
  { messages, lastPositions, takenSlots, clock }: StoreContext,
  record: MessageRecord,
  position: Position,
  slot: SlotRecord | undefined,
): Promise<DuplicateMessageError['index'] | 'time' | undefined> {
  try {
    await messages.insert(record, () => slot !== undefined && isTooLateFor(slot, clock.now()))
  } catch (error) {
    // After any failure the remembered position may be wrong.
    lastPositions.delete(record.conversationId)
    if (error instanceof DuplicateMessageError) return error.index
    if (error instanceof TooLateError) return 'time'
    throw unavailable('messages', error)
  }
  lastPositions.set(record.conversationId, position)
  if (slot) takenSlots.set(slot._id, true)
  return undefined
}

function toRecord(send: Send, { seq, memberIds, counts }: Position, createdAt: Date): MessageRecord {
  const { conversationId, senderId, clientMessageId, content, messageType, mediaUrl, sealed } = send
  return {
    _id: messageKey(conversationId, seq),
    messageId: randomUUID(),
    conversationId,
    senderId,
    memberIds: [...memberIds],
    seq,
    clientMessageId,
    content,
    messageType,
    mediaUrl: mediaUrl ?? null,
    createdAt,
    unpublished: true,
    counts,
    ...(sealed ? { sealed } : {}),
  }
}

/**
 * Compares id, type and media, because a message that is sealed again, with another key or for the first time, has other
 * content.
 */
const isSame = (record: MessageRecord, send: Send) =>
  record.messageType === send.messageType &&
  record.mediaUrl === (send.mediaUrl ?? null) &&
  (send.sealed !== undefined || (!record.sealed && record.content === send.content))
