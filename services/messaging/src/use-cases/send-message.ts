import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { unavailable } from '@sumlock/service-kit/app-error'
import { utcDay } from '@sumlock/service-kit/clock'
import type { Context } from '../context.ts'
import { clientMessageIdReused, dailyLimitReached, mediaNotFound, tooManySends } from '../domain/errors.ts'
import { isReadFor, messageKey, slotOf } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import type { ConversationStore } from '../stores/conversation-store.ts'
import { DuplicateMessageError } from '../stores/group-commit.ts'
import type { MessageStore } from '../stores/message-store.ts'
import { isCovered, isCoveredAccordingToBilling } from './is-covered.ts'
import type { CoverageContext } from './is-covered.ts'
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
  isRead: boolean
}

export interface SendContext
  extends CoverageContext, Pick<Context, 'members' | 'timeouts' | 'sending' | 'lastSeqs' | 'takenSlots'> {
  messages: Pick<MessageStore, 'insert' | 'lastSeq' | 'byClientMessageId' | 'bySlot'>
  conversations: Pick<ConversationStore, 'byId'>
}

const waitingAtMost = 2000
const notYetVisibleMs = 5

/**
 * Stores a message exactly once. Order, density, idempotency, the free slot and "to be published" are decided by one
 * durable insert; the unique indexes are the judges, this function only reads their verdict.
 */
export async function sendMessage(ctx: SendContext, input: SendMessageInput): Promise<SentMessage> {
  const memberIds = await membersOf(ctx, input.conversationId, input.senderId)
  if (input.mediaUrl !== undefined) throw mediaNotFound()
  const draft = { ...input, memberIds, clientMessageId: input.clientMessageId ?? randomUUID() }
  if (ctx.sending.waiting >= waitingAtMost) throw tooManySends()
  const arrivedMs = performance.now()
  return ctx.sending.run(input.conversationId, () => {
    // The gateway has stopped waiting; storing it now would only delay the sends queued behind it.
    if (performance.now() - arrivedMs > ctx.timeouts.sendQueueMs) throw tooManySends()
    return storeNext(ctx, draft)
  })
}

type Draft = Omit<SendMessageInput, 'clientMessageId'> & {
  memberIds: readonly string[]
  clientMessageId: string
}

async function storeNext(ctx: SendContext, draft: Draft): Promise<SentMessage> {
  const { conversationId } = draft
  const startedMs = performance.now()
  let covered = await isCovered(ctx, draft.memberIds)
  if (!covered && ctx.takenSlots.has(slotOf(draft.senderId, utcDay(ctx.clock.now())))) {
    // The index would refuse it: no need to ask the index.
    const stored = await storedBefore(ctx, draft)
    if (stored) return answerAgain(ctx, stored, draft)
    covered = await paidAfterAll(ctx, draft)
  }
  let last = ctx.lastSeqs.get(conversationId)
  while (performance.now() - startedMs < ctx.timeouts.storeMs) {
    last ??= await ctx.messages.lastSeq(conversationId)
    const record = toRecord(draft, last + 1, ctx.clock.now(), covered)
    const refusedBy = await insert(ctx, record)
    if (!refusedBy) return { record, isNew: true, isRead: false }
    if (refusedBy === '_id') {
      // Another process took this seq. Look again and try at once: a pause would leave the conversation to a busy process.
      last = undefined
      continue
    }
    const stored = await storedBefore(ctx, draft)
    if (stored) return answerAgain(ctx, stored, draft)
    if (record.slot !== undefined && (await ctx.messages.bySlot(record.slot))) {
      // A slot that is taken stays taken for its day.
      ctx.takenSlots.set(record.slot, true)
      covered = await paidAfterAll(ctx, draft)
      continue
    }
    // The index knows a message that the majority does not have yet.
    await wait(notYetVisibleMs)
  }
  throw unavailable('messages', new Error('too many others send into this conversation'))
}

const storedBefore = (ctx: SendContext, { conversationId, senderId, clientMessageId }: Draft) =>
  ctx.messages.byClientMessageId(conversationId, senderId, clientMessageId)

/** True when billing knows of a payment that has not reached the projection; throws 402 otherwise. */
async function paidAfterAll(ctx: SendContext, { memberIds }: Draft): Promise<true> {
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
    // Whatever went wrong, what we believed to be the last seq may be wrong, too.
    lastSeqs.delete(record.conversationId)
    if (error instanceof DuplicateMessageError) return error.index
    throw unavailable('messages', error)
  }
  lastSeqs.set(record.conversationId, record.seq)
  return undefined
}

function toRecord(draft: Draft, seq: number, createdAt: Date, covered: boolean): MessageRecord {
  const { conversationId, senderId, clientMessageId, content, messageType } = draft
  return {
    _id: messageKey(conversationId, seq),
    messageId: randomUUID(),
    ...{ conversationId, senderId, memberIds: [...draft.memberIds] },
    ...{ seq, clientMessageId, content, messageType, mediaUrl: null, createdAt },
    unpublished: true,
    ...(covered ? {} : { slot: slotOf(senderId, utcDay(createdAt)) }),
  }
}

async function answerAgain(ctx: SendContext, record: MessageRecord, draft: Draft): Promise<SentMessage> {
  if (record.content !== draft.content || record.messageType !== draft.messageType)
    throw clientMessageIdReused()
  const conversation = await ctx.conversations.byId(draft.conversationId)
  return { record, isNew: false, isRead: !!conversation && isReadFor(record, draft.senderId, conversation) }
}
