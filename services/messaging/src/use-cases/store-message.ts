import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { unavailable } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { isEmpty } from '../domain/act.ts'
import { isPremiumAt } from '../domain/entitlement.ts'
import { clientMessageIdReused, dailyLimitReached } from '../domain/errors.ts'
import { advance, beforeFirst, isReadFor, messageKey } from '../domain/message.ts'
import type { MessageRecord, Position } from '../domain/message.ts'
import type { Send, SentMessage } from '../domain/send.ts'
import { isTooLateFor, isUsable } from '../domain/slot.ts'
import type { SlotRecord } from '../domain/slot.ts'
import { isOver, lifetimeOf, onceUnopened } from '../domain/vanishing.ts'
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
 * One durable insert gives the message the next seq, refuses a second copy of it and marks it for publishing. When a unique
 * index refuses the insert, the name of the index decides what to do next. A sender without premium takes the free slot of
 * the day before the insert.
 */
export async function storeMessage(ctx: StoreContext, send: Send): Promise<SentMessage> {
  const startedMs = performance.now()
  while (performance.now() - startedMs < ctx.timeouts.storeMs) {
    const last = await lastPosition(ctx, send)
    const now = ctx.clock.now()
    // Premium is checked again for each attempt, because it may end between two attempts.
    const isFree = !isCovered(send, now)
    if (isFree && !isUsable(send.slot, send.senderId, now)) {
      // The message may be stored already, covered by premium that has ended since. A slot for it would spend the free
      // message.
      const answer = await answerIfStored(ctx, send)
      if (answer) return answer
      await takeSlotFor(ctx, send, now)
      continue
    }
    const hidden = (await isBlocked(ctx, send)) ? { isHidden: true as const } : {}
    const next = advance(last, { ...send, ...hidden })
    const isHidden = hidden.isHidden === true
    const lifetime = send.isOnce ? onceUnopened(now) : lifetimeOf(send.vanishMs, isHidden, now)
    const record = { ...toRecord(send, next, now), ...hidden, ...lifetime }
    const refusedBy = await insertAt(ctx, record, next, isFree ? send.slot : undefined)
    if (!refusedBy) return { record, isNew: true, isRead: false }
    // Another process took this seq, or the slot became too old. The send tries again at once, because with a pause a busy
    // process would win every time.
    if (refusedBy !== 'clientMessageId') continue
    const answer = await answerIfStored(ctx, send)
    if (answer) return answer
    // The index has the message already, but the majority has not acknowledged it yet.
    await wait(notYetVisibleMs)
  }
  throw unavailable(
    'messages',
    new Error('no attempt to store the message succeeded within STORE_TIMEOUT_MS'),
  )
}

export const isCovered = ({ statuses }: Send, now: Date): boolean =>
  statuses.some((status) => isPremiumAt(status, now))

/**
 * Asks billing for premium that messaging's copy does not have yet. The send then counts as covered. Throws 402 when
 * neither member has premium.
 */
export async function requireUnseenPayment(ctx: StoreContext, send: Send): Promise<void> {
  const coverage = await coverageAccordingToBilling(ctx, send.memberIds, send.arrivedMs)
  if (!coverage) throw dailyLimitReached(ctx.clock.now())
  send.statuses = [coverage]
}

/** Returns the answer to a message that was stored before; throws 409 when its id belongs to a different message. */
export async function answerIfStored(ctx: StoreContext, send: Send): Promise<SentMessage | undefined> {
  const { conversationId, senderId, clientMessageId } = send
  const record = await ctx.messages.byClientMessageId(conversationId, senderId, clientMessageId)
  if (!record) return undefined
  if (!isSame(record, send, ctx.clock.now())) throw clientMessageIdReused()
  const own = await memberOf(ctx, senderId, conversationId)
  return { record, isNew: false, isRead: isReadFor(own, record) }
}

export const lastPosition = async (
  { lastPositions, messages }: StoreContext,
  { conversationId, memberIds }: Pick<Send, 'conversationId' | 'memberIds'>,
): Promise<Position> =>
  lastPositions.get(conversationId) ?? (await messages.positionOf(conversationId)) ?? beforeFirst(memberIds)

async function takeSlotFor(ctx: StoreContext, send: Send, now: Date): Promise<void> {
  const taken = await takeSlot(ctx, send, now)
  if (taken === 'spent') await requireUnseenPayment(ctx, send)
  else if (taken === 'in use') await wait(slotInUseMs)
  else send.slot = taken
}

/**
 * Returns whether the recipient has blocked the conversation. The message is then stored as hidden, and the sender sees no
 * difference.
 */
export const isBlocked = async (
  { members }: Pick<StoreContext, 'members'>,
  { otherId, conversationId }: Pick<Send, 'otherId' | 'conversationId'>,
): Promise<boolean> => (await members.of(otherId, conversationId))?.isBlocked === true

/**
 * Resolves with undefined once the record is stored, with the unique index that refused it, or with 'time' when the slot is
 * so old that another send may have taken it.
 */
export async function insertAt(
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
 * A message with the same id is the same if type, media, time and content agree. Sealing a message again changes its content, and
 * an edit replaces it, so it is not compared then; nor is anything of a message that was emptied. A message that is over for
 * its sender may be emptied or not, which the sender must not notice.
 */
const isSame = (record: MessageRecord, send: Send, now: Date) => {
  if (record.isOnce) return isSameOnce(record, send)
  return isEmpty(record) || isOver(send.senderId, record, now) || isSameLasting(record, send)
}

/** The answer is the same before and after the message is erased, because the sender may not learn that it was opened. */
const isSameOnce = (record: MessageRecord, send: Send) =>
  send.isOnce === true && record.messageType === send.messageType

const isSameLasting = (record: MessageRecord, send: Send) =>
  send.isOnce === undefined &&
  record.messageType === send.messageType &&
  record.mediaUrl === (send.mediaUrl ?? null) &&
  record.vanishMs === send.vanishMs &&
  (send.sealed !== undefined || record.edit !== undefined || isSamePlainText(record, send))

const isSamePlainText = (record: MessageRecord, send: Send) =>
  !record.sealed && record.content === send.content
