import { handshakeQuery } from '@sumlock/contracts/socket'
import type { HandshakeRefusal } from '@sumlock/contracts/socket'
import type { Context } from './context.ts'
import type { Identity } from './domain/identity.ts'
import type { Upgrade } from './upgrade-guard.ts'

export type Admission = { upgrade: Upgrade } | { refusal: HandshakeRefusal }
export type HandshakeContext = Pick<Context, 'clock' | 'logger' | 'identify' | 'membersOf' | 'log'>

/** Decides who may listen: a session that is unlocked now, the claimed person, and a member if a conversation is named. */
export async function admit(
  ctx: HandshakeContext,
  upgrade: Upgrade,
  query: Record<string, unknown>,
): Promise<Admission> {
  const claim = handshakeQuery.safeParse(query)
  if (!claim.success) return { refusal: 'invalid_request' }
  const { userId, conversationId } = claim.data
  try {
    const present = await unlessInvalidated(ctx, upgrade)
    if (!present) return { refusal: 'no_session' }
    // guard: locked-socket
    if (present.identity.unlockedUntilMs <= ctx.clock.nowMs()) return { refusal: 'locked' }
    if (present.identity.userId !== userId) return { refusal: 'not_allowed' }
    if (conversationId && !(await ctx.membersOf(conversationId)).includes(userId)) {
      return { refusal: 'not_allowed' }
    }
    return { upgrade: present }
  } catch (error) {
    ctx.logger.warn({ err: error }, 'it could not be decided who is connecting')
    return { refusal: 'unavailable' }
  }
}

/** A client may take seconds from the upgrade to its first word: what was learnt before counts only if nothing happened. */
async function unlessInvalidated(ctx: HandshakeContext, upgrade: Upgrade): Promise<Upgrade | null> {
  if (!ctx.log.namedSince(upgrade.identity.sid, upgrade.position)) return upgrade
  const position = ctx.log.position()
  const identity: Identity | null = await ctx.identify(upgrade.cookie)
  return identity && { ...upgrade, identity, position }
}
