import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { unavailable } from '@sumlock/service-kit/app-error'
import { utcDay } from '@sumlock/service-kit/clock'
import type { Context } from '../context.ts'
import { clientMessageIdReused, dailyLimitReached, mediaNotFound } from '../domain/errors.ts'
import { messageKey, slotOf } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import { DuplicateMessageError } from '../stores/group-commit.ts'
import { isCovered, isCoveredAccordingToBilling } from './is-covered.ts'
import { membersOf } from './members-of.ts'

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
  /** False when this clientMessageId had been stored before. */
  isNew: boolean
}

const tries = 12
const firstDelayMs = 2
const rememberedSeqs = 50_000

/**
 * Stores a message exactly once. Order, density, idempotency, the free slot and "to be published" are decided by one
 * durable insert; the unique indexes are the judges, this function only reads their verdict.
 */
export async function sendMessage(ctx: Context, input: SendMessageInput): Promise<SentMessage> {
  const memberIds = await membersOf(ctx, input.conversationId, input.senderId)
  if (input.mediaUrl !== undefined) throw mediaNotFound()
  const draft = { ...input, memberIds, clientMessageId: input.clientMessageId ?? randomUUID() }
  return ctx.sending.run(input.conversationId, () => storeNext(ctx, draft))
}

type Draft = Omit<SendMessageInput, 'clientMessageId'> & {
  memberIds: readonly string[]
  clientMessageId: string
}

async function storeNext(ctx: Context, draft: Draft): Promise<SentMessage> {
  let covered = await isCovered(ctx, draft.memberIds)
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const record = await nextRecord(ctx, draft, covered)
    try {
      await ctx.messages.insert(record)
      if (ctx.lastSeqs.size > rememberedSeqs) ctx.lastSeqs.clear()
      ctx.lastSeqs.set(draft.conversationId, record.seq)
      return { record, isNew: true }
    } catch (error) {
      // Whatever went wrong, what we believed to be the last seq may be wrong, too.
      ctx.lastSeqs.delete(draft.conversationId)
      if (!(error instanceof DuplicateMessageError)) throw unavailable('messages', error)
    }
    const stored = await ctx.messages.byClientMessageId(
      draft.conversationId,
      draft.senderId,
      draft.clientMessageId,
    )
    if (stored) return sameAs(stored, draft)
    if (record.slot !== undefined && (await ctx.messages.bySlot(record.slot))) {
      covered = await isCoveredAccordingToBilling(ctx, draft.memberIds)
      if (!covered) throw dailyLimitReached(ctx.clock.now())
      continue
    }
    // Another process took this seq: look again, a little later each time so that both get on.
    await wait(Math.random() * firstDelayMs * 2 ** Math.min(attempt, 6))
  }
  throw unavailable('messages', new Error('too many others send into this conversation'))
}

async function nextRecord(ctx: Context, draft: Draft, covered: boolean): Promise<MessageRecord> {
  const last = ctx.lastSeqs.get(draft.conversationId) ?? (await ctx.messages.lastSeq(draft.conversationId))
  const createdAt = ctx.clock.now()
  const seq = last + 1
  return {
    _id: messageKey(draft.conversationId, seq),
    messageId: randomUUID(),
    conversationId: draft.conversationId,
    senderId: draft.senderId,
    memberIds: [...draft.memberIds],
    seq,
    clientMessageId: draft.clientMessageId,
    content: draft.content,
    messageType: draft.messageType,
    mediaUrl: null,
    createdAt,
    unpublished: true,
    ...(covered ? {} : { slot: slotOf(draft.senderId, utcDay(createdAt)) }),
  }
}

function sameAs(stored: MessageRecord, draft: Draft): SentMessage {
  if (stored.content !== draft.content || stored.messageType !== draft.messageType)
    throw clientMessageIdReused()
  return { record: stored, isNew: false }
}
