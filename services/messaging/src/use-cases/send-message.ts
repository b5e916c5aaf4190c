import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Sealed } from '@sumlock/contracts/sealed'
import { unavailable } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { isPremiumAt } from '../domain/entitlement.ts'
import type { Standing } from '../domain/entitlement.ts'
import {
  clientMessageIdReused,
  dailyLimitReached,
  mediaNotFound,
  keysChanged,
  personGone,
  tooManySends,
} from '../domain/errors.ts'
import { keyInUrl, objectPathOf } from '../domain/media.ts'
import { pairOf } from '../domain/member.ts'
import { advance, beforeFirst, isReadFor, messageKey } from '../domain/message.ts'
import type { MessageRecord, Position } from '../domain/message.ts'
import { isTooLateFor, isUsable, slotOf } from '../domain/slot.ts'
import type { SlotRecord } from '../domain/slot.ts'
import { DuplicateMessageError, TooLateError } from '../infrastructure/group-commit.ts'
import type { MediaStore } from '../stores/media-store.ts'
import type { MemberList } from '../stores/member-list.ts'
import type { MessageStore } from '../stores/message-store.ts'
import { coverageAccordingToBilling } from './coverage-according-to-billing.ts'
import type { CoverageContext } from './coverage-according-to-billing.ts'
import { hasFormerKey } from './has-former-key.ts'
import type { KeysContext } from './has-former-key.ts'
import { memberOf, rememberedMember } from './member-of.ts'
import { takeSlot } from './take-slot.ts'
import type { SlotContext } from './take-slot.ts'

export interface SendMessageInput {
  senderId: string
  conversationId: string
  content: string
  messageType: MessageRecord['messageType']
  mediaUrl: string | undefined
  clientMessageId: string | undefined
  sealed?: Sealed | undefined
}

export interface SentMessage {
  record: MessageRecord
  /** False when this clientMessageId was already stored. */
  isNew: boolean
  isRead: boolean
}

export interface SendContext
  extends
    CoverageContext,
    KeysContext,
    SlotContext,
    Pick<Context, 'members' | 'timeouts' | 'sending' | 'lastPositions'> {
  messages: Pick<MessageStore, 'insert' | 'positionOf'> & SlotContext['messages']
  memberList: Pick<MemberList, 'of'>
  media: Pick<MediaStore, 'bind'>
}

const maxQueuedSends = 2000
const notYetVisibleMs = 5
const slotInUseMs = 10

/**
 * Stores a message exactly once. One durable insert decides order, density, idempotency and "to be published"; this
 * function reads which unique index refused it. Before it, a sender without premium takes the free slot of the day.
 */
export async function sendMessage(ctx: SendContext, input: SendMessageInput): Promise<SentMessage> {
  const own = await rememberedMember(ctx, input.senderId, input.conversationId)
  const arrivedMs = performance.now()
  const clientMessageId = input.clientMessageId ?? randomUUID()
  const pair = { otherId: own.otherId, memberIds: pairOf(own) }
  const send = { ...input, ...mediaOf(input), ...pair, arrivedMs, clientMessageId }
  if (ctx.sending.waiting >= maxQueuedSends) throw tooManySends()
  return ctx.sending.run(input.conversationId, () => {
    // The gateway has timed out; storing the message now would only delay the sends queued behind it.
    if (performance.now() - arrivedMs > ctx.timeouts.sendQueueMs) throw tooManySends()
    return storeNext(ctx, send)
  })
}

/** The key of the media and the address that is stored. Throws 404 for an address that is none of ours. */
function mediaOf({ mediaUrl }: SendMessageInput): { mediaKey?: string; mediaUrl: string | undefined } {
  if (mediaUrl === undefined) return { mediaUrl }
  const mediaKey = keyInUrl(mediaUrl)
  if (mediaKey === undefined) throw mediaNotFound()
  return { mediaKey, mediaUrl: objectPathOf(mediaKey) }
}

type AcceptedSend = Omit<SendMessageInput, 'clientMessageId'> & {
  otherId: string
  memberIds: readonly string[]
  clientMessageId: string
  mediaKey?: string
  arrivedMs: number
}

async function storeNext(ctx: SendContext, send: AcceptedSend): Promise<SentMessage> {
  const { conversationId } = send
  const startedMs = performance.now()
  let standings = await ctx.entitlements.standingsOf(send.memberIds)
  if (standings.some(({ isGone }) => isGone)) {
    const stored = await storedBefore(ctx, send)
    if (stored) return answerAgain(ctx, stored, send)
    throw personGone()
  }
  if (send.sealed && hasFormerKey(ctx, send, send.sealed, standings)) {
    const stored = await storedBefore(ctx, send)
    if (stored) return answerAgain(ctx, stored, send)
    throw keysChanged()
  }
  // Compared again for each attempt, because premium may end in between.
  const isCovered = (now: Date) => standings.some((standing) => isPremiumAt(standing, now))
  if (!isCovered(ctx.clock.now()) && ctx.takenSlots.has(slotOf(send.senderId, ctx.clock.now()))) {
    // Refuse before the media is bound.
    const stored = await storedBefore(ctx, send)
    if (stored) return answerAgain(ctx, stored, send)
    standings = [await requireUnseenPayment(ctx, send)]
  }
  if (send.mediaKey !== undefined && !(await ctx.media.bind(send.mediaKey, send, ctx.clock.now())))
    throw mediaNotFound()
  let last = ctx.lastPositions.get(conversationId)
  let slot: SlotRecord | undefined
  while (performance.now() - startedMs < ctx.timeouts.storeMs) {
    last ??= (await ctx.messages.positionOf(conversationId)) ?? beforeFirst(send.memberIds)
    const now = ctx.clock.now()
    const isFree = !isCovered(now)
    if (isFree && !isUsable(slot, send.senderId, now)) {
      // A slot taken for a message that premium covered would be spent without a free message.
      const stored = await storedBefore(ctx, send)
      if (stored) return answerAgain(ctx, stored, send)
      const taken = await takeSlot(ctx, send, now)
      if (taken === 'spent') standings = [await requireUnseenPayment(ctx, send)]
      else if (taken === 'in use') await wait(slotInUseMs)
      else slot = taken
      continue
    }
    const hidden = (await isBlocked(ctx, send)) ? { isHidden: true as const } : {}
    const next = advance(last, { ...send, ...hidden })
    const record = { ...toRecord(send, next, now), ...hidden }
    const refusedBy = await insert(ctx, record, next, isFree ? slot : undefined)
    if (!refusedBy) return { record, isNew: true, isRead: false }
    if (refusedBy === 'time') continue
    if (refusedBy === '_id') {
      // Another process took this seq. Retry without a pause, or a busy process would win every time.
      last = undefined
      continue
    }
    const stored = await storedBefore(ctx, send)
    if (stored) return answerAgain(ctx, stored, send)
    // The index contains a message that the majority has not acknowledged yet.
    await wait(notYetVisibleMs)
  }
  throw unavailable('messages', new Error('other sends kept every seq or the free slot until the time limit'))
}

const storedBefore = (ctx: SendContext, { conversationId, senderId, clientMessageId }: AcceptedSend) =>
  ctx.messages.byClientMessageId(conversationId, senderId, clientMessageId)

/** Whether the recipient has blocked the conversation; the sender must not learn of it. */
const isBlocked = async (
  { members }: SendContext,
  { otherId, conversationId }: AcceptedSend,
): Promise<boolean> => (await members.of(otherId, conversationId))?.isBlocked === true

/** Returns premium that billing knows of and the projection does not yet; throws 402 if there is none. */
async function requireUnseenPayment(
  ctx: SendContext,
  { memberIds, arrivedMs }: AcceptedSend,
): Promise<Standing> {
  const coverage = await coverageAccordingToBilling(ctx, memberIds, arrivedMs)
  if (!coverage) throw dailyLimitReached(ctx.clock.now())
  return coverage
}

/** Undefined once the record is stored, or which unique index refused it; 'time' when another send may have its slot. */
async function insert(
  { messages, lastPositions, takenSlots, clock }: SendContext,
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

function toRecord(send: AcceptedSend, { seq, memberIds, counts }: Position, createdAt: Date): MessageRecord {
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

async function answerAgain(
  ctx: SendContext,
  record: MessageRecord,
  send: AcceptedSend,
): Promise<SentMessage> {
  if (!isSame(record, send)) throw clientMessageIdReused()
  const own = await memberOf(ctx, send.senderId, send.conversationId)
  return { record, isNew: false, isRead: isReadFor(own, record) }
}

/**
 * Sealed with another key, or for the first time after a lost answer, a message has other content; its id, type and media
 * name it.
 */
const isSame = (record: MessageRecord, send: AcceptedSend) =>
  record.messageType === send.messageType &&
  record.mediaUrl === (send.mediaUrl ?? null) &&
  (send.sealed !== undefined || (!record.sealed && record.content === send.content))
