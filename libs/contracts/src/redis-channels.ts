import { z } from 'zod'
import { message } from './messaging-routes.ts'
import { id } from './primitives.ts'

/** A session may no longer do what its cached token says. A hint: caches also expire by themselves. */
export const sessionInvalidated = {
  channel: 'session-invalidated',
  data: z.object({ sid: id, userId: id, reason: z.enum(['locked', 'unlocked', 'revoked']) }),
}

/** The fast way of a stored message to realtime; Kafka carries it too. */
export const messageHint = {
  channel: 'message-sent',
  data: z.object({
    message,
    memberIds: z.array(id).length(2),
    /** The request that sent it. */
    request: z.object({ requestId: z.string(), traceparent: z.string().optional() }).optional(),
  }),
}

export type SessionInvalidated = z.infer<typeof sessionInvalidated.data>
export type MessageHint = z.infer<typeof messageHint.data>

/** Redis channel inside a namespace. */
export const redisChannel = (namespace: string, channel: string): string => `${namespace}:${channel}`
