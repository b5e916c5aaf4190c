import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { conversationStarted } from '@sumlock/contracts/messaging-events'
import type { Person } from '@sumlock/contracts/internal-routes'
import { unavailable } from '@sumlock/service-kit/app-error'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { ownUserCode, unknownUserCode } from '../domain/errors.ts'
import type { BegunConversation } from '../stores/member-state.ts'

export interface StartedConversation {
  conversationId: string
  /** The value is false when the two people already had their conversation. */
  isNew: boolean
}

const tries = 6
const firstDelayMs = 5

/**
 * Starts the only conversation of two people, or returns the one that exists. When both people start it at once, both get
 * the same conversation. Starting a conversation that waits as a request accepts the request.
 */
export async function startConversation(
  ctx: Context,
  input: { userId: string; userCode: string },
): Promise<StartedConversation> {
  const other = await findByCode(ctx, input.userCode)
  if (!other) throw unknownUserCode()
  if (other.userId === input.userId) throw ownUserCode()
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const own = await ctx.memberList.withOther(input.userId, other.userId)
    if (own) {
      if (own.isDeleted || own.isRequest) await ctx.memberState.accept(own)
      if (own.isRequest) ctx.members.drop(own.personId, own.conversationId)
      return { conversationId: own.conversationId, isNew: false }
    }
    const status = (await ctx.entitlementStore.statusesOf([other.userId])).get(other.userId)
    const begun = {
      ...{ conversationId: randomUUID(), personId: input.userId, otherId: other.userId },
      ...{ createdAt: ctx.clock.now(), isRequest: status?.asksFirst === true },
    }
    if (await insert(ctx, begun)) return { conversationId: begun.conversationId, isNew: true }
    // The other person's insert was faster, but the majority has not acknowledged it yet.
    await wait(firstDelayMs * 2 ** attempt)
  }
  throw unavailable('conversations')
}

/** Resolves with false when the two people already have a conversation. */
async function insert(ctx: Context, begun: BegunConversation): Promise<boolean> {
  const { conversationId, personId, otherId } = begun
  try {
    await transact(ctx.connection, async (session) => {
      await ctx.memberState.insert(begun, session)
      await ctx.outbox.add(session, conversationStarted, { conversationId, memberIds: [personId, otherId] })
    })
  } catch (error) {
    if ((error as { code?: number }).code === 11000) return false
    throw error
  }
  ctx.outbox.kick()
  return true
}

/** Reads the person from auth, because messaging's copy may have a code that was replaced a moment ago. */
async function findByCode(ctx: Context, userCode: string): Promise<Person | null> {
  const person = await ctx.askAuth({ userCode })
  if (person) await ctx.savePerson(person)
  return person
}
