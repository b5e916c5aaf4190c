import { sessionCookie } from '@sumlock/contracts/cookies'
import { handshakeQuery } from '@sumlock/contracts/socket'
import type { HandshakeRefusal } from '@sumlock/contracts/socket'
import { parseCookies } from '@sumlock/service-kit/parse-cookies'
import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from './context.ts'
import type { Identity } from './domain/identity.ts'

export interface Handshake {
  headers: IncomingHttpHeaders
  query: Record<string, unknown>
}

export type Admission = { identity: Identity; cookie: string } | { refusal: HandshakeRefusal }

/** Decides who may connect: our own page, a session that is unlocked, the claimed person, and a member if a conversation is named. */
export async function admit(ctx: Context, { headers, query }: Handshake): Promise<Admission> {
  // guard: socket-origin
  if (headers.origin === undefined || !ctx.config.PUBLIC_ORIGINS.includes(headers.origin)) {
    return { refusal: 'origin_refused' }
  }
  const claim = handshakeQuery.safeParse(query)
  if (!claim.success) return { refusal: 'invalid_request' }
  const cookie = parseCookies(headers.cookie)[sessionCookie(ctx.config.COOKIE_SECURE)]
  if (!cookie || cookie.length > 256) return { refusal: 'no_session' }
  try {
    const identity = await ctx.identify(cookie)
    // guard: socket-session
    if (!identity) return { refusal: 'no_session' }
    // guard: locked-socket
    if (identity.unlockedUntilMs <= ctx.clock.nowMs()) return { refusal: 'locked' }
    // guard: socket-claim
    if (identity.userId !== claim.data.userId) return { refusal: 'not_allowed' }
    const { conversationId } = claim.data
    // guard: socket-member
    if (conversationId && !(await ctx.membersOf(conversationId)).includes(identity.userId)) {
      return { refusal: 'not_allowed' }
    }
    return { identity, cookie }
  } catch (error) {
    ctx.logger.warn({ err: error }, 'nobody could say who is connecting')
    return { refusal: 'unavailable' }
  }
}
