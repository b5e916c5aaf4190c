import { handshakeQuery } from '@sumlock/contracts/socket'
import type { HandshakeRefusal } from '@sumlock/contracts/socket'
import type { Context } from './context.ts'
import type { SocketSession } from './domain/socket-session.ts'
import type { Upgrade } from './upgrade-guard.ts'

export type Admission = { upgrade: Upgrade } | { refusal: HandshakeRefusal }
export type HandshakeContext = Pick<Context, 'clock' | 'logger' | 'identify' | 'isMember' | 'invalidations'>

/**
 * Admits a session that is unlocked and belongs to the claimed user. If the query names a conversation, the user must be a
 * member of it.
 */
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
    if (conversationId && !(await ctx.isMember(conversationId, userId))) return { refusal: 'not_allowed' }
    return { upgrade: present }
  } catch (error) {
    ctx.logger.warn({ err: error }, 'handshake refused because a call to auth or messaging failed')
    return { refusal: 'unavailable' }
  }
}

/**
 * Seconds may pass between the upgrade and the handshake. If the session was invalidated in between, auth is called again.
 */
async function unlessInvalidated(ctx: HandshakeContext, upgrade: Upgrade): Promise<Upgrade | null> {
  if (!ctx.invalidations.changedSince(upgrade.identity.sid, upgrade.position)) return upgrade
  const position = ctx.invalidations.position()
  const identity: SocketSession | null = await ctx.identify(upgrade.cookie)
  return identity && { ...upgrade, identity, position }
}
