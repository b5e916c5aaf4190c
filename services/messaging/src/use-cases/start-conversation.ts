import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { conversationStarted } from '@sumlock/contracts/messaging-events'
import type { Person } from '@sumlock/contracts/internal-routes'
import { unavailable } from '@sumlock/service-kit/app-error'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { freshMember, pairOf } from '../domain/conversation.ts'
import type { ConversationRecord } from '../domain/conversation.ts'
import { ownUserCode, unknownUserCode } from '../domain/errors.ts'

export interface StartedConversation {
  conversationId: string
  /** False when the pair already had its conversation. */
  isNew: boolean
}

const tries = 6
const firstDelayMs = 5

/**
 * Starts the single conversation of a pair; when both start it at once, both get the same conversation. Starting one that
 * waits as a request accepts it.
 */
export async function startConversation(
  ctx: Context,
  input: { userId: string; userCode: string },
): Promise<StartedConversation> {
  const other = await findByCode(ctx, input.userCode)
  if (!other) throw unknownUserCode()
  if (other.userId === input.userId) throw ownUserCode()
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const existing = await ctx.conversations.byPair(pairOf(input.userId, other.userId))
    if (existing) {
      const own = existing.members[input.userId]
      if (own?.isDeleted || own?.isRequest) await ctx.conversations.accept(existing._id, input.userId)
      return { conversationId: existing._id, isNew: false }
    }
    const standing = (await ctx.entitlementStore.standingsOf([other.userId])).get(other.userId)
    const conversation = between(input.userId, other.userId, ctx.clock.now())
    if (standing?.asksFirst) conversation.members[other.userId] = { ...freshMember, isRequest: true }
    if (await insert(ctx, conversation)) return { conversationId: conversation._id, isNew: true }
    // The other side was faster, but the majority has not acknowledged its insert yet.
    await wait(firstDelayMs * 2 ** attempt)
  }
  throw unavailable('conversations')
}

function between(userId: string, otherId: string, createdAt: Date): ConversationRecord {
  return {
    _id: randomUUID(),
    pair: pairOf(userId, otherId),
    memberIds: [userId, otherId],
    members: { [userId]: { ...freshMember }, [otherId]: { ...freshMember } },
    createdAt,
    lastMessageAt: createdAt,
    lastSeq: 0,
    lastMessage: null,
  }
}

/** False when the pair has a conversation already. */
async function insert(ctx: Context, conversation: ConversationRecord): Promise<boolean> {
  try {
    await transact(ctx.connection, async (session) => {
      await ctx.conversations.insert(conversation, session)
      const { _id: conversationId, memberIds } = conversation
      await ctx.outbox.add(session, conversationStarted, { conversationId, memberIds })
    })
  } catch (error) {
    if ((error as { code?: number }).code === 11000) return false
    throw error
  }
  ctx.outbox.kick()
  return true
}

/** Only auth knows which codes were replaced a moment ago. */
async function findByCode(ctx: Context, userCode: string): Promise<Person | null> {
  const person = await ctx.askAuth({ userCode })
  if (person) await ctx.savePerson(person)
  return person
}
