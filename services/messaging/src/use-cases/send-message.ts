import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { unavailable } from '@sumlock/service-kit/app-error'
import { utcDay } from '@sumlock/service-kit/clock'
import type { Context } from '../context.ts'
import { otherOf } from '../domain/conversation.ts'
import { isPremiumAt } from '../domain/entitlement.ts'
import {
  clientMessageIdReused,
  conversationNotFound,
  dailyLimitReached,
  mediaNotFound,
  personGone,
  tooManySends,
} from '../domain/errors.ts'
import { isReadFor, messageKey, slotOf } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import type { ConversationStore } from '../stores/conversation-store.ts'
import { DuplicateMessageError } from '../infrastructure/group-commit.ts'
import type { MessageStore } from '../stores/message-store.ts'
import { isCoveredAccordingToBilling } from './covered-according-to-billing.ts'
import type { CoverageContext } from './covered-according-to-billing.ts'

export interface SendMessageInput {
  senderId: string
  conversationId: string
  content: string
  messageType: MessageRecord['messageType']
  mediaUrl: string | undefined
  clientMessageId: string | undefined
}

export interface SentMessage {
  record: MessageRecord
  /** False when this clientMessageId was already stored. */
  isNew: boolean
  isRead: boolean
}

export interface SendContext
  extends CoverageContext, Pick<Context, 'members' | 'timeouts' | 'sending' | 'lastSeqs' | 'takenSlots'> {
  messages: Pick<MessageStore, 'insert' | 'lastSeq' | 'byClientMessageId' | 'bySlot'>
  conversations: Pick<ConversationStore, 'byId'>
}

const maxQueuedSends = 2000
const notYetVisibleMs = 5

/**
 * Stores a message exactly once. One durable insert decides order, density, idempotency, the free slot and "to be
 * published"; this function reads which unique index refused it.
 */
export async function sendMessage(ctx: SendContext, input: SendMessageInput): Promise<SentMessage> {
  const memberIds = await membersOf(ctx, input.conversationId, input.senderId)
  if (input.mediaUrl !== undefined) throw mediaNotFound()
  const send = { ...input, memberIds, clientMessageId: input.clientMessageId ?? randomUUID() }
  if (ctx.sending.waiting >= maxQueuedSends) throw tooManySends()
  const arrivedMs = performance.now()
  return ctx.sending.run(input.conversationId, () => {
    // The gateway has timed out; storing the message now would only delay the sends queued behind it.
    if (performance.now() - arrivedMs > ctx.timeouts.sendQueueMs) throw tooManySends()
    return storeNext(ctx, send)
  })
}

/** The two members of a conversation of the caller. To strangers, the conversation does not seem to exist. */
async function membersOf(
  ctx: SendContext,
  conversationId: string,
  callerId: string,
): Promise<readonly string[]> {
  const memberIds = await ctx.members.of(conversationId)
  // guard: members-only
  if (!memberIds?.includes(callerId)) throw conversationNotFound()
  return memberIds
}

type AcceptedSend = Omit<SendMessageInput, 'clientMessageId'> & {
  memberIds: readonly string[]
  clientMessageId: string
}

async function storeNext(ctx: SendContext, send: AcceptedSend): Promise<SentMessage> {
  const { conversationId } = send
  const startedMs = performance.now()
  const standings = await ctx.entitlements.standingsOf(send.memberIds)
  if (standings.some(({ isGone }) => isGone)) {
    const stored = await storedBefore(ctx, send)
    if (stored) return answerAgain(ctx, stored, send)
    throw personGone()
  }
  let covered = standings.some((standing) => isPremiumAt(standing, ctx.clock.now()))
  if (!covered && ctx.takenSlots.has(slotOf(send.senderId, utcDay(ctx.clock.now())))) {
    // The index would refuse this slot, so skip the insert.
    const stored = await storedBefore(ctx, send)
    if (stored) return answerAgain(ctx, stored, send)
    covered = await requireUnseenPayment(ctx, send)
  }
  let last = ctx.lastSeqs.get(conversationId)
  while (performance.now() - startedMs < ctx.timeouts.storeMs) {
    last ??= await ctx.messages.lastSeq(conversationId)
    const record = toRecord(send, last + 1, ctx.clock.now(), covered)
    if (await isBlocked(ctx, send)) record.isHidden = true
    const refusedBy = await insert(ctx, record)
    if (!refusedBy) return { record, isNew: true, isRead: false }
    if (refusedBy === '_id') {
      // Another process took this seq. Retry without a pause, or a busy process would win every time.
      last = undefined
      continue
    }
    const stored = await storedBefore(ctx, send)
    if (stored) return answerAgain(ctx, stored, send)
    if (record.slot !== undefined && (await ctx.messages.bySlot(record.slot))) {
      // A slot that is taken stays taken for its day.
      ctx.takenSlots.set(record.slot, true)
      covered = await requireUnseenPayment(ctx, send)
      continue
    }
    // The index contains a message that the majority has not acknowledged yet.
    await wait(notYetVisibleMs)
  }
  throw unavailable(
    'messages',
    new Error('other senders took every seq of this conversation until the time limit'),
  )
}

const storedBefore = (ctx: SendContext, { conversationId, senderId, clientMessageId }: AcceptedSend) =>
  ctx.messages.byClientMessageId(conversationId, senderId, clientMessageId)

/** Whether the recipient has blocked the conversation; the sender must not learn of it. */
async function isBlocked({ entitlements }: SendContext, send: AcceptedSend): Promise<boolean> {
  const [recipient] = await entitlements.standingsOf([otherOf(send.memberIds, send.senderId)])
  return recipient?.blocked?.includes(send.conversationId) === true
}

/** True when billing knows of a payment that is not in the projection yet; throws 402 otherwise. */
async function requireUnseenPayment(ctx: SendContext, { memberIds }: AcceptedSend): Promise<true> {
  if (await isCoveredAccordingToBilling(ctx, memberIds)) return true
  throw dailyLimitReached(ctx.clock.now())
}

/** Undefined once the record is stored, or which unique index refused it. */
async function insert(
  { messages, lastSeqs }: SendContext,
  record: MessageRecord,
): Promise<DuplicateMessageError['index'] | undefined> {
  try {
    await messages.insert(record)
  } catch (error) {
    // After any failure the remembered last seq may be wrong.
    lastSeqs.delete(record.conversationId)
    if (error instanceof DuplicateMessageError) return error.index
    throw unavailable('messages', error)
  }
  lastSeqs.set(record.conversationId, record.seq)
  return undefined
}

function toRecord(send: AcceptedSend, seq: number, createdAt: Date, covered: boolean): MessageRecord {
  const { conversationId, senderId, memberIds, clientMessageId, content, messageType } = send
  const record: MessageRecord = {
    _id: messageKey(conversationId, seq),
    messageId: randomUUID(),
    conversationId,
    senderId,
    memberIds: [...memberIds],
    seq,
    clientMessageId,
    content,
    messageType,
    mediaUrl: null,
    createdAt,
    unpublished: true,
  }
  if (!covered) record.slot = slotOf(senderId, utcDay(createdAt))
  return record
}

async function answerAgain(
  ctx: SendContext,
  record: MessageRecord,
  send: AcceptedSend,
): Promise<SentMessage> {
  if (record.content !== send.content || record.messageType !== send.messageType)
    throw clientMessageIdReused()
  const conversation = await ctx.conversations.byId(send.conversationId)
  return { record, isNew: false, isRead: !!conversation && isReadFor(record, send.senderId, conversation) }
}
