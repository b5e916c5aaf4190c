import { randomUUID } from 'node:crypto'
import { conversationStarted } from '@sumlock/contracts/messaging-events'
import type { Context } from '../context.ts'
import { pairOf } from '../domain/conversation.ts'
import type { ConversationRecord } from '../domain/conversation.ts'
import { ownUserCode, unknownUserCode } from '../domain/errors.ts'

export interface StartedConversation {
  conversation: ConversationRecord
  isNew: boolean
}

/** Opens the one conversation of a pair; of two who open it at once, both get the same. */
export async function startConversation(
  ctx: Context,
  input: { userId: string; userCode: string },
): Promise<StartedConversation> {
  const other = (await ctx.people.byUserCode(input.userCode)) ?? (await askAuth(ctx, input.userCode))
  if (!other) throw unknownUserCode()
  if (other.userId === input.userId) throw ownUserCode()
  const pair = pairOf(input.userId, other.userId)
  const existing = await ctx.conversations.byPair(pair)
  if (existing) return { conversation: existing, isNew: false }

  const fresh = { lastReadSeq: 0, clearedBeforeSeq: 0 }
  const conversation: ConversationRecord = {
    _id: randomUUID(),
    pair,
    memberIds: [input.userId, other.userId],
    members: { [input.userId]: { ...fresh }, [other.userId]: { ...fresh } },
    createdAt: ctx.clock.now(),
    lastSeq: 0,
    lastMessage: null,
    lastMessageAt: null,
  }
  try {
    await ctx.connection.transaction(async (session) => {
      await ctx.conversations.insert(conversation, session)
      const { _id: conversationId, memberIds } = conversation
      await ctx.outbox.add(session, conversationStarted, { conversationId, memberIds })
    })
  } catch (error) {
    if ((error as { code?: number }).code !== 11000) throw error
    const winner = await ctx.conversations.byPair(pair)
    if (!winner) throw error
    return { conversation: winner, isNew: false }
  }
  ctx.outbox.kick()
  return { conversation, isNew: true }
}

async function askAuth(ctx: Context, userCode: string) {
  const person = await ctx.askAuth({ userCode })
  if (person) await ctx.people.save(person)
  return person
}
